import type { Config } from '../config/config.ts';
import type { Head } from '../lake/head.ts';
import type { CatalogChanges } from '../run/payloads.ts';
import { readRunRecordIfAny } from '../run/run-record.ts';
import { readSummary } from '../run/summary.ts';
import { log } from '../runtime/log.ts';
import { emitMetrics } from '../runtime/metrics.ts';
import { readSchema } from '../schema/schema.ts';
import { questionText } from '../sources/question.ts';
import { runMetrics } from './run-metrics.ts';
import type { LambdaServices } from './stage-context.ts';

/** What a deployed commit does after the new head is put: it updates the catalog and writes the run's metrics. */
export async function afterCommit(head: Head, services: LambdaServices): Promise<void> {
  const record = await readRunRecordIfAny(services.lake, head.runId);
  await syncCatalogOf(services, { ...(record && { config: record.config }) });
  const [summary, schema] = [
    await readSummary(services.lake, head),
    await readSchema(services.lake, head.schema),
  ];
  const { stack } = services.environment;
  emitMetrics({
    stack,
    at: services.now(),
    values: runMetrics(head, { summary, schema }),
    properties: {
      stage: 'commit',
      run: head.runId,
      status: head.status,
      // A line of the log has at most 256 KB: questions in words, and no notes, which are in `outcomes`.
      sources: summary.sources.map(({ notes: _, ...source }) => ({
        ...source,
        questions: source.questions.map(questionText),
      })),
    },
  });
}

/**
 * Makes the catalog say what the head says; returns what was changed, undefined if the stack has no catalog. The row
 * filters become those of the config, if it has `lakeFormation`.
 */
export async function syncCatalogOf(
  services: LambdaServices,
  { config, signal }: { readonly config?: Config; readonly signal?: AbortSignal } = {},
): Promise<CatalogChanges | undefined> {
  const { database } = services.environment;
  if (database === '') return undefined;
  const { glueCatalog } = await import('../aws/glue-catalog.ts');
  const { syncCatalog } = await import('../catalog/sync-catalog.ts');
  const { readViews } = await import('../views/view-file.ts');
  const views = await readViews(services.environment.views);
  const { lakeFormation } = config ?? {};
  let catalog = glueCatalog(database, { ...(signal && { signal }) });
  if (lakeFormation !== undefined) {
    const { rowFilters } = await import('../aws/row-filters.ts');
    const { account } = services.environment;
    // Without filters too: those of a former config go. A config of an earlier version has none.
    const filterRows = rowFilters(lakeFormation.rowFilters ?? [], { database, account });
    catalog = { ...catalog, filterRows };
  }
  const changed = await syncCatalog(services.lake, catalog, views);
  log('info', 'catalog is in step', { stage: 'commit', ...changed });
  return changed;
}

/** The same where there is little time: after so many milliseconds no further call is made, and CATALOG_SYNC_FAILED is thrown. */
export async function syncCatalogWithin(services: LambdaServices, ms: number): Promise<void> {
  await syncCatalogOf(services, { signal: AbortSignal.timeout(ms) });
}
