import type { Source } from '../sources/source.ts';
import { trimEnd } from '../text.ts';

/** The fault in a source's baseUrl, as the end of "but must be …"; undefined without one. */
export function originFault(source: Source): string | undefined {
  const { baseUrl: text, allowHttp } = source;
  const example = 'https:// and a host, such as https://signage.example.com:8443';
  if (!URL.canParse(text)) return example;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return example;
  if (url.port === '0') return `${url.protocol}//${url.hostname} with a port from 1 to 65535, or with none`;
  if (url.username !== '' || url.password !== '') {
    return 'without user and password, which would reach logs: put them into the secret';
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    return `${url.origin}${trimEnd(url.pathname, '/')}, without ? and #`;
  if (url.pathname !== '/')
    return `${url.origin} alone; what is before the path of a listing belongs into basePath`;
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    return 'https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that';
  }
  return undefined;
}

/** The URL as a message may show it: without user, password, query and fragment, which may hold a key. */
export function harmlessUrl(text: string): string {
  return text.replace(/^(https?:\/\/)?.*@/s, '$1…@').replace(/[?#].*$/s, '…');
}

/** True for an address of this machine. */
export function isLoopback(host: string): boolean {
  // A resolver may send a name below localhost anywhere.
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
