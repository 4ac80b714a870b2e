import { topLevelResources } from '../sources/resources.ts';
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
  if (url.pathname !== '/') {
    const basePath = basePathFor(source, trimEnd(url.pathname, '/'));
    return `${url.origin} alone${basePath === '' ? '' : `, with "basePath": ${JSON.stringify(basePath)}`}`;
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    return 'https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that';
  }
  return undefined;
}

/**
 * The basePath to write for a baseUrl with a path. The beginning of the listings' own paths is cut off. From
 * `/proxy/1/backup` only `/proxy` is left, because a backup source adds `/1/backup` by itself.
 */
function basePathFor(source: Source, path: string): string {
  const given = path.split('/').slice(1);
  const shared = topLevelResources(source.kind).map((resource) => {
    const own = resource.target(source, '').path.split('/').slice(1);
    return given.findIndex((_, at) => given.slice(at).every((part, index) => part === own[index]));
  });
  const from = Math.min(...shared.map((at) => (at < 0 ? given.length : at)));
  return [...given.slice(0, from).map((part) => `/${part}`), source.basePath].join('');
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
