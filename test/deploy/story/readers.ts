import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { HOOK_KEY, PATIENCE, type Story, toldIn } from './story.ts';

/** What a run tells, and what readers may see. */
export function tellReaders(story: Story): void {
  it('tells what a run brought: one message that is signed and tried again, and a page that readers may read', async () => {
    await expect.poll(() => toldIn(story.hook), PATIENCE).toEqual(['20261031T030000Z', '20261101T030000Z']);
    const [refused, again] = story.hook.heard;
    expect(refused?.body).toBe(again?.body);
    for (const { headers, body } of story.hook.heard) {
      const signed = `${headers['x-signage-export-timestamp']}.${body}`;
      const signature = createHmac('sha256', HOOK_KEY).update(signed).digest('hex');
      expect(headers['x-signage-export-signature']).toBe(`v1=${signature}`);
    }
    const { Results = '', ReportPage = '', Lake = '', ReadersPolicy = '' } = await story.stack.outputs();
    expect(ReportPage).toContain('prefix=_report/report.html');
    const Bucket = Results.split('/')[2] ?? '';
    for (const name of ['report.html', 'report-2026-11-01.html']) {
      const of = ['--bucket', Bucket, '--key', `_report/${name}`];
      const { ContentType } = await story.emulator.aws('s3api', 'head-object', ...of);
      expect(ContentType).toBe('text/html; charset=utf-8');
    }
    // Whoever opened whole buckets to the role of a tool.
    const reader = await story.emulator.actAs('reader', { policies: [ReadersPolicy], allows: ['s3:*'] });
    const [lake = ''] = Lake.split('/').slice(2);
    const { Contents } = await story.emulator.aws(
      ...['s3api', 'list-objects-v2', '--bucket', lake, '--prefix', 'tables/', '--max-items', '1'],
    );
    const read = (bucket: string, key: string) =>
      reader.may('s3api', 'head-object', '--bucket', bucket, '--key', key);
    expect(await read(Bucket, '_report/report.html')).toBe(true);
    expect(await read(lake, Contents[0].Key)).toBe(true);
    for (const key of ['raw/any', 'state/head.json']) expect(await read(lake, key), key).toBe(false);
  });

  it('keeps the results of readers apart', async () => {
    const { Results = '', ReadersPolicy = '' } = await story.stack.outputs();
    const [, , Bucket = ''] = Results.split('/');
    const one = await story.emulator.actAs('all-readers', { policies: [ReadersPolicy] });
    const other = await story.emulator.actAs('finance', {
      policies: [ReadersPolicy.replace('lab-readers-', 'lab.finance-readers-')],
    });
    const put = (reader: typeof one, key: string) =>
      reader.may('s3api', 'put-object', '--bucket', Bucket, '--key', key);
    expect([await put(one, 'lab/a.csv'), await put(one, 'lab.finance/a.csv')]).toEqual([true, false]);
    expect([await put(other, 'lab/a.csv'), await put(other, 'lab.finance/a.csv')]).toEqual([false, true]);
  });

  it('answers smoke: each source from where the stages run, an alarm that is sent, a reader’s query', async () => {
    const { code, stdout } = await story.stack.ask(['smoke', '--json'], await story.operator());
    const { tried } = JSON.parse(stdout);
    expect(tried).toEqual([
      { what: 'source berlin', ok: true, says: 'app_groups answered 200' },
      { what: 'source vault', ok: true, says: 'backup_pricing answered 200' },
      { what: 'alarm', ok: true, says: 'sent; look whether it has come to ops@example.com' },
      { what: 'query', ok: true, says: expect.stringMatching(/^answered/) },
    ]);
    expect(code).toBe(0);
  });
}
