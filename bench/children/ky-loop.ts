import ky from 'ky';
import { loop } from './loop.ts';

await loop((url, key) => ky.get(url, { headers: { 'X-ApiKey': key } }).json());
