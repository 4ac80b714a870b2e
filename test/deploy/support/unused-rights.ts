import { spelled, statementsIn, statementsOf } from '../../infra/synthesized.ts';
import type { Decision } from './emulator.ts';
import type { Installation } from './installation.ts';

/**
 * Rights of the stages' roles, and of an `operator` with the operators' policy, that none of these calls needed: `ROLE:
 * ACTION on RESOURCE`. Without one of the other rights, a call would be refused. Resources are patterns; one that any
 * call matched is needed.
 */
export async function unusedRights(
  stack: Installation,
  decisions: readonly Decision[],
): Promise<readonly string[]> {
  const resources = await stack.template();
  const physical = await stack.physicalIds();
  const filled = (pattern: string) =>
    pattern
      .replaceAll('<AWS::StackId>', `arn:aws:cloudformation:us-east-1:000000000000:stack/${stack.name}/*`)
      .replaceAll('<AWS::Partition>', 'aws')
      .replaceAll('<AWS::Region>', 'us-east-1')
      .replaceAll('<AWS::AccountId>', '000000000000')
      .replaceAll(/<(\w+)\.(\w+)>/g, (_, id: string) => physical.get(id) ?? id);
  const roles = Object.entries(resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    .map(([id]) => {
      const name = id.replace(/[0-9A-F]{8}$/, '');
      return { name, role: physical.get(id), statements: statementsOf(resources, name) };
    });
  const operators = Object.entries(resources)
    .filter(([id]) => id.startsWith('OperationsOperators'))
    .map(([, { Properties }]) => ({
      name: 'Operators',
      role: 'operator',
      statements: statementsIn(Properties),
    }));
  return [...roles, ...operators].flatMap(({ name, role: whose, statements }) => {
    const asked = decisions.filter(({ role }) => role === whose).flatMap((each) => each.asked);
    return statements.flatMap(({ actions, resources: patterns }) =>
      actions.flatMap((action) =>
        patterns
          .filter((pattern) => {
            const matches = patternOf(filled(pattern));
            const isOf = patternOf(action);
            return !asked.some(([wanted, resource]) => isOf.test(wanted) && matches.test(resource));
          })
          .map((pattern) => `${name}: ${action} on ${spelled(pattern)}`),
      ),
    );
  });
}

/** A pattern of IAM; a bucket's or queue's name stands for its ARN. */
function patternOf(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(^|:|function:)${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}
