import { extentText, FIRST, operatorCommand } from './operate.ts';
import { word } from './options.ts';
import { tell } from './say.ts';

const OPTIONS = {
  runId: word('<run-id>', 'the run whose tables become the newest again'),
  ...FIRST,
};

export const addRollback = operatorCommand(OPTIONS, ({ runId, ...options }) => ({
  operation: { command: 'rollback', runId },
  asks: ({ removed, restored }) =>
    `With the tables of run ${runId}, ${extentText(removed)} would leave them, and ${extentText(restored)} come back.`,
  ended: ({ head: { exportDate } }) =>
    tell(
      options,
      { runId, exportDate },
      `The tables are as run ${runId} of ${exportDate} left them. For a day you can go back: status says to which run.`,
    ),
}));
