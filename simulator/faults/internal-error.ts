import { jsonAnswer } from '../profiles/answer.ts';
import { fault } from './fault.ts';

export const internalError = fault({
  name: '500',
  summary: '500 with a stack trace in the body',
  rate: 0.05,
  create: () => ({
    answer: ({ kind, error }) =>
      kind === 'backup'
        ? error(500, 'server_error', 'Server error')
        : jsonAnswer(500, {
            Message: 'An error has occurred.',
            ExceptionMessage: 'Timeout expired.',
            ExceptionType: 'System.Data.SqlClient.SqlException',
            StackTrace: '   at System.Data.SqlClient.SqlConnection.OnError(SqlException exception)',
          }),
  }),
});
