import { bytesOf, isSmall } from '../run/raw-of-run.ts';
import { oldestDate } from '../run/run-record.ts';
import { rewriteUnits, type Unit } from '../run/unit.ts';
import { MANY_RECORDS } from '../schema/cells/made-cells.ts';
import type { Schema } from '../schema/schema.ts';
import { RESOURCES, type Resource, type ResourceName } from '../sources/resources.ts';
import { countedAnswers } from './counted.ts';
import { cutParts } from './cut-parts.ts';
import type { Planning } from './planning.ts';

export interface CutUnitsOptions extends Omit<Planning, 'lake' | 'sources'> {
  /** The schema after this run. */
  readonly schema: Schema;
  /** A child table with more bytes of raw than this is cut. */
  readonly unitBytes: number;
}

/**
 * The units of publish that may run in parallel. A resource table is one unit, a large one several. Each date to recast
 * is one unit. A unit says which sources have answers to publish, and which sources keep their committed rows.
 */
export async function cutUnits(options: CutUnitsOptions): Promise<readonly Unit[]> {
  const { db, record, base, schema, raw, dialects } = options;
  const listings = await db.rows(LISTINGS);
  const countedOf = await countedAnswers(db);
  const listingOf = (source: string, resource: string) =>
    listings.find((row) => row.source === source && row.resource === resource && row.is_listing === true);
  const isComplete = (source: string, resource: string) => listingOf(source, resource)?.is_complete === true;
  /** False if the listing may lack a record: no total proves its pages, or a record has lost its id. */
  const isWhole = (source: string, resource: ResourceName) => {
    const { isWhole = true, lacking = 0 } = dialects.get(source)?.resources[resource] ?? {};
    return isComplete(source, resource) && isWhole && lacking === 0;
  };
  const kinds = record.config.sources.map(({ kind }) => kind);
  const tables = RESOURCES.filter(
    ({ name, kind }) => kinds.includes(kind) || base.head?.tables[name] !== undefined,
  );

  const unitsOf = async (resource: Resource): Promise<readonly Unit[]> => {
    const sources = record.config.sources
      .filter(({ kind }) => kind === resource.kind)
      .map(({ name }) => name);
    const called = sources.filter((name) => record.selected.includes(name));
    const { parent } = resource;
    /** A child listing has a row without parent if the run requested none of the children. */
    const isFailed = (name: string) =>
      parent === null ? !isComplete(name, resource.name) : listingOf(name, resource.name) !== undefined;
    const isKept = (name: string) => !called.includes(name) || isFailed(name);
    const keepAll = sources.filter(isKept);
    const own = raw.filter((each) => each.resource === resource.name);
    const parts = await cutParts(db, {
      raw: own.filter(({ source }) => !keepAll.includes(source)),
      unitBytes: parent === null ? Number.POSITIVE_INFINITY : options.unitBytes,
    });
    const keepUnlisted = parent === null ? [] : called.filter((name) => !isWhole(name, parent));
    return parts.map(({ collected, ...range }, part) => ({
      kind: 'resource',
      table: resource.name,
      part,
      ...range,
      collected: collected.map((each) => {
        // Without records in any answer, no record is left out.
        const { allCount, records } = countedOf({ source: each.source, resource: resource.name }) ?? NONE;
        const isHeld = own.every((raw) => raw.source !== each.source || isSmall(raw));
        return { ...each, allCount, areFew: isHeld && records < MANY_RECORDS };
      }),
      keepAll,
      keepUnlisted,
      inDoubt: listings.some((row) => row.resource === resource.name && row.in_doubt === true),
    }));
  };
  const weighed: { readonly weight: number; readonly units: readonly Unit[] }[] = [];
  for (const table of tables) {
    const units = await unitsOf(table);
    const weight = bytesOf(raw.filter(({ resource }) => resource === table.name)) / units.length;
    weighed.push({ weight, units });
  }
  // The largest come first: the small ones fill the rest of the time.
  const bySize = weighed.sort((a, b) => b.weight - a.weight).flatMap(({ units }) => units);
  const oldest = oldestDate(record, base.head);
  const others = rewriteUnits(base, schema).filter(
    ({ date }) => date !== record.exportDate && date >= oldest,
  );
  return [...others, ...bySize];
}

/** Rows of ID_MISSING are left out: they say nothing about the requested children. */
const LISTINGS = `
  -- grain: source, resource
  select
    source,
    resource,
    bool_or(is_listing) as is_listing,
    bool_or(is_listing and outcome in ('ok', 'empty')) as is_complete,
    bool_or(outcome in ('ok', 'empty') and error_code is not null) as in_doubt
  from (select *, parent_id is null and error_code is distinct from 'ID_MISSING' as is_listing from outcomes)
  group by all`;

const NONE = { allCount: true, records: 0 };
