/** What is wrong with a source's baseUrl, as the end of "but must be …"; undefined where nothing is. */
export function originFault(text: string, allowHttp: boolean): string | undefined {
  const example = 'https:// and a host, such as https://signage.example.com:8443';
  if (!URL.canParse(text)) return example;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return example;
  if (url.username !== '' || url.password !== '') {
    return 'without user and password, which would reach logs: put them into the secret';
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    return `${url.origin} alone, without ? and #`;
  if (url.pathname !== '/') return `${url.origin} alone: a path goes into basePath, or resources.NAME.path`;
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    return 'https://, for over http:// anybody on the way reads the key; set allowHttp to true to accept that';
  }
  return undefined;
}

/** The URL as a message may show it: without what could be a password or a key. */
export function harmlessUrl(text: string): string {
  return text.replace(/^(https?:\/\/)?.*@/s, '$1…@').replace(/[?#].*$/s, '…');
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  );
}
