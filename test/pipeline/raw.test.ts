import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { someOf } from '../support/some-of.ts';

let lab: ExportLab;
const asked = new Map<string, string>();

beforeAll(async () => {
  lab = await exportLab({ players: 600, recordsRequests: true });
  await lab.run('2026-11-20T03:00:00Z');
  // The answers to the usual ways to further pages are not kept: no page was there.
  const isKept = (path: string) => !/[?&](_*page|pageNumber|offset|skip|%24skip|start)=/.test(path);
  for (const path of [...lab.simulator.stats.requestPaths].filter(isKept)) {
    const headers = {
      'x-apikey': lab.simulator.secrets.signage.apiKey,
      authorization: `Bearer ${lab.simulator.secrets.backup.accessToken}`,
    };
    asked.set(path, await (await fetch(`${lab.simulator.url}${path}`, { headers })).text());
  }
});
afterAll(() => lab[Symbol.asyncDispose]());

interface RawFile {
  readonly path: string;
  readonly bytes: Buffer;
}

function rawFiles(): readonly RawFile[] {
  const root = join(lab.folder, 'lake', 'raw');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet'))
    .map((name) => ({ path: name, bytes: readFileSync(join(root, name)) }));
}

function footerBytes({ bytes }: RawFile): number {
  return bytes.readUInt32LE(bytes.length - 8);
}

describe('raw is the answers as they came', () => {
  it('slices joined are the bodies byte for byte, read by a second reader', async () => {
    const bodies: string[] = [];
    for (const { bytes } of someOf(rawFiles())) {
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
      expect(parquetMetadata(file).schema.map(({ name }) => name)).toContain('mended');
      const rows = await parquetReadObjects({ file, compressors });
      const answers = Map.groupBy(rows, (row) => `${row.parent_id} ${row.page}`);
      for (const slices of answers.values()) {
        bodies.push(
          slices
            .sort((a, b) => a.slice - b.slice)
            .map(({ body }) => body)
            .join(''),
        );
      }
    }
    expect(bodies.sort()).toEqual([...asked.values()].sort());
  });

  it('is under half the size of the bodies, its footers under 64 kB', () => {
    const bodyBytes = [...asked.values()].reduce((sum, body) => sum + Buffer.byteLength(body), 0);
    const rawBytes = rawFiles().reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(rawBytes).toBeLessThan(bodyBytes / 2);
    expect(Math.max(...rawFiles().map(footerBytes))).toBeLessThan(64 * 1024);
  });
});
