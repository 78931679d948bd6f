import { nameOf } from '../identifiers.ts';
import { unknownColumns } from './lines.ts';
import type { TableState } from './table.ts';

/** What the reader of the figures should know of an export, a sentence each: what it lacks, columns that are new. */
export function lacksOf(state: TableState): string[] {
  const name = nameOf(state.ref);
  const unknown = unknownColumns(state);
  return [
    ...(state.kind === 'standard'
      ? [`No resources: ${name} is the standard export. Turn on the detailed usage cost export to have them`]
      : []),
    ...(state.kind === 'focus'
      ? [
          `${name} is Google's FOCUS export, which is in preview and tells little of commitments: the detailed usage cost export tells more`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`${name} has columns that are not known here, and are left out: ${unknown.join(', ')}`]
      : []),
  ];
}
