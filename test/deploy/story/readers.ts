import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { HOOK_KEY, PATIENCE, type Story, toldIn } from './story.ts';

/** What a run tells, and what smoke says. */
export function tellReaders(story: Story): void {
  it('tells what a run brought: one message that is signed and tried again, and a page', async () => {
    await expect.poll(() => toldIn(story.hook), PATIENCE).toEqual(['20261031T030000Z', '20261101T030000Z']);
    const [refused, again] = story.hook.heard;
    expect(refused?.body).toBe(again?.body);
    for (const { headers, body } of story.hook.heard) {
      const signed = `${headers['x-signage-export-timestamp']}.${body}`;
      const signature = createHmac('sha256', HOOK_KEY).update(signed).digest('hex');
      expect(headers['x-signage-export-signature']).toBe(`v1=${signature}`);
    }
    const { Results = '', ReportPage = '' } = await story.stack.outputs();
    expect(ReportPage).toContain('prefix=_report/report.html');
    const Bucket = Results.split('/')[2] ?? '';
    for (const name of ['report.html', 'report-2026-11-01.html']) {
      const of = ['--bucket', Bucket, '--key', `_report/${name}`];
      const { ContentType } = await story.emulator.aws('s3api', 'head-object', ...of);
      expect(ContentType).toBe('text/html; charset=utf-8');
    }
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
