import { Agent } from 'undici';
import { loop } from './loop.ts';

const agent = new Agent({ connections: 50, pipelining: 1 });
await loop(async (url, key) => {
  const { origin, pathname, search } = new URL(url);
  const answer = await agent.request({
    origin,
    path: `${pathname}${search}`,
    method: 'GET',
    headers: { 'X-ApiKey': key },
  });
  return await answer.body.json();
});
