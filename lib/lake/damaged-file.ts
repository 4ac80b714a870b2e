import { ExportError } from '../errors.ts';

/** A table's file is damaged or missing: FILE_CORRUPT. */
export class DamagedTable extends ExportError {
  /** The date of its folder, `YYYY-MM-DD`; null where its path has none. */
  readonly date: string | null;
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const date = /\/export_date=(\d{4}-\d\d-\d\d)\//.exec(path)?.[1] ?? null;
    super({
      code: 'FILE_CORRUPT',
      message: `The file ${path} is damaged or missing. Take an earlier commit with \`rollback RUN_ID\`, or build the tables again with \`rebuild --from ${date ?? 'DATE'}\`.`,
      cause,
    });
    this.date = date;
    this.path = path;
  }
}

/** RAW_CORRUPT or FILE_CORRUPT for a damaged or missing file, with the way to get it back. */
export function damagedFile(path: string, cause: unknown): ExportError {
  const isRaw = /\/raw\/\d{8}T\d{6}Z\//.test(path);
  return isRaw ? damagedRaw(path, cause) : new DamagedTable(path, cause);
}

/** RAW_CORRUPT for a damaged raw file. */
export function damagedRaw(path: string, cause: unknown): ExportError {
  return new ExportError({
    code: 'RAW_CORRUPT',
    message: `The raw file ${path} is damaged. Remove it and start the run again: it requests the listings of the file again.`,
    cause,
  });
}
