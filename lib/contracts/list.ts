import { listSource } from '../list/list.ts';
import { type ListWork, listEvent } from '../run/payloads.ts';
import type { ApiServices, Stage } from '../runtime/services.ts';

/** Calls a source's top-level listings and cuts its players or storages into batches. */
export const list: Stage<ApiServices, ListWork> = (event, services) =>
  listSource(listEvent.parse(event), services);
