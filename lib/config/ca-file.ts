import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { errno } from '../errors.ts';

/**
 * The text of a file of certificates. For another file: what is wrong with it, as the end of a sentence, and
 * the cause.
 */
export function readCertificates(
  file: string,
): { readonly pem: string } | { readonly fault: string; readonly cause: unknown } {
  try {
    const there = statSync(file);
    if (!there.isFile() && !there.isDirectory())
      return { fault: 'is a FIFO or a device and no file', cause: undefined };
    const pem = readFileSync(file, 'utf8');
    return isCertificate(pem) ? { pem } : { fault: 'holds no PEM certificate', cause: undefined };
  } catch (cause) {
    const code = errno(cause);
    return { fault: code === 'EISDIR' ? 'is a folder' : 'cannot be read', cause };
  }
}

/** True if a text holds a PEM certificate. A DER file is refused, because connections take only text. */
function isCertificate(pem: string): boolean {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return false;
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
