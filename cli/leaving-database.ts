import { ExportError } from '#lib/errors.ts';
import type { Services } from '#lib/runtime/services.ts';
import { hasDatabaseOf, leaveDatabase } from '#lib/views/leave-database.ts';
import { nextCommand } from './program-name.ts';
import { note } from './say.ts';

/**
 * Services with commits that leave `lake.duckdb` in the lake, if it is a folder. A commit that cannot leave
 * it still succeeds: the file of the commit before stays, and a warning says so.
 */
export function leavingDatabase<Given extends Services>(services: Given): Given {
  if (services.lake.name.startsWith('s3://')) return services;
  return {
    ...services,
    afterCommit: async (head, isAgain) => {
      try {
        if (isAgain && (await hasDatabaseOf(head, services))) return;
        const broken = await leaveDatabase(services);
        if (broken.length > 0)
          note(
            `warning: lake.duckdb lacks ${broken.join(', ')}: at least one of their files is damaged or missing; see \`status\`.`,
          );
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        note(
          `warning: lake.duckdb still shows the commit before this one: ${error.message} After that, write lake.duckdb with \`${nextCommand(['views'], { lake: services.lake.name })}\`.`,
        );
      }
    },
  };
}
