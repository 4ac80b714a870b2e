import { ExportError } from '../errors.ts';

/** RAW_CORRUPT or FILE_CORRUPT: a file of the lake that is not whole, or not there, and how to have it again. */
export function damagedFile(path: string, cause: unknown): ExportError {
  const date = /\/export_date=(\d{4}-\d\d-\d\d)\//.exec(path)?.[1] ?? 'DATE';
  const isRaw = /\/raw\/\d{8}T\d{6}Z\//.test(path);
  return new ExportError({
    code: isRaw ? 'RAW_CORRUPT' : 'FILE_CORRUPT',
    message: isRaw
      ? `The raw file ${path} is damaged. Remove it and start the run again, which asks for its listings anew.`
      : `The file ${path} is damaged or missing. Take an earlier commit with \`rollback RUN_ID\`, or make the tables anew with \`rebuild --from ${date}\`.`,
    cause,
  });
}
