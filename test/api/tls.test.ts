import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { BOUNDS, clientOf, json, listening, sourceAt, TARGET } from './support/serve.ts';

describe('TLS', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tls-test-'));
    const openssl = (...words: readonly string[]) =>
      execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
    openssl('req', '-x509', '-days', '2', ...key, '-out', 'cert.pem', ...subject);
    openssl('x509', '-in', 'cert.pem', '-signkey', 'key.pem', '-days', '-1', '-out', 'expired.pem');
  });

  async function serveTls(cert = 'cert.pem'): Promise<AsyncDisposable & { readonly url: string }> {
    const options = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, cert)) };
    const server = createHttpsServer(options, (_request, response) => json(response, '[]'));
    const { port, ...ends } = await listening(server);
    return { url: `https://127.0.0.1:${port}`, ...ends };
  }

  test('a certificate that nobody trusts stops the source, where the environment takes verification away too', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      await using server = await serveTls();
      await using client = clientOf(sourceAt(server.url));
      await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_REFUSED' });
      expect(client.refused()).toMatchObject({ code: 'TLS_REFUSED' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each([
    ['TLS_EXPIRED', 'expired.pem', '127.0.0.1', /the certificate has expired: ask the operator of/],
    [
      'TLS_WRONG_HOST',
      'cert.pem',
      'localhost',
      /issued for another host name: (?:DNS|IP Address):\S+.*: set baseUrl to a host name/,
    ],
    [
      'TLS_REFUSED',
      undefined,
      '127.0.0.1',
      /nobody that this machine trusts has signed.*: set caFile of the source/,
    ],
  ])('%s says what is wrong with the certificate, and what to do', async (code, caFile, host, says) => {
    await using server = await serveTls(caFile);
    const url = server.url.replace('127.0.0.1', host);
    await using client = clientOf(
      sourceAt(url, caFile === undefined ? {} : { caFile: join(folder, caFile) }),
    );
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  });

  test('caFile makes it trusted', async () => {
    await using server = await serveTls();
    await using client = clientOf(sourceAt(server.url, { caFile: join(folder, 'cert.pem') }));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer' });
  });

  test('a caFile that is none is refused by name', () => {
    const make = (caFile: string) => () => clientOf(sourceAt('https://127.0.0.1', { caFile }));
    writeFileSync(join(folder, 'none.pem'), 'no certificate');
    expect(make(join(folder, 'none.pem'))).toThrow(/none\.pem holds no PEM certificate/);
    expect(make(join(folder, 'missing.pem'))).toThrow(/missing\.pem cannot be read/);
  });
});
