import { Text } from '@mantine/core';
import { typeLabel } from '../inventory/choices.ts';
import { Status } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { money } from '../words/format.ts';
import type { PolicyRule, ViolationRow } from './queries.ts';
import { valueWords } from './rule-words.ts';

/** How a rule can be broken. */
export const problems = ['MISSING', 'VALUE_NOT_ALLOWED', 'PATTERN_MISMATCH', 'WRONG_CASE'] as const;
type Problem = (typeof problems)[number];

const words: Readonly<Record<Problem, string>> = {
  MISSING: 'Missing',
  VALUE_NOT_ALLOWED: 'Value not allowed',
  PATTERN_MISMATCH: 'Pattern mismatch',
  WRONG_CASE: 'Wrong case',
};

/** A problem in words. */
export function problemWords(problem: Problem): string {
  return words[problem];
}

/** What a list of violations tells of each: what breaks which rule, and what it costs. */
export function violationColumns(ruleOf: (policyId: string, key: string) => PolicyRule | null): Column<ViolationRow>[] {
  const expected = ({ policyId, key }: ViolationRow) => {
    const rule = ruleOf(policyId, key);
    return rule ? valueWords(rule) : '';
  };
  return [
    {
      key: 'resource',
      title: 'Resource',
      grow: true,
      cell: ({ resource }) => resource.name,
    },
    {
      key: 'problem',
      title: 'Problem',
      cell: ({ problem }) => (
        <Status value={problem} tone={problem === 'MISSING' ? 'bad' : 'warn'} label={problemWords(problem)} />
      ),
    },
    { key: 'tag', title: 'Tag', sortBy: 'key', cell: (row) => <TagOf row={row} /> },
    {
      key: 'policy',
      title: 'Policy',
      hideOn: 'tablet',
      sortBy: 'policy_name',
      cell: (row) => <TwoLines top={<Clipped text={row.policyName} />} below={<Clipped text={expected(row)} />} />,
    },
    { key: 'type', title: 'Type', hideOn: 'tablet', cell: ({ resource }) => typeLabel(resource.resourceType) },
    {
      key: 'cost',
      title: 'Last 30 days',
      align: 'right',
      hideOn: 'phone',
      sortBy: 'cost_last_30_days',
      cell: ({ costLast30Days, currency }) => money(costLast30Days, currency),
    },
  ];
}

function TagOf({ row: { key, value } }: { readonly row: ViolationRow }) {
  return value === null ? key : <TwoLines top={key} below={value === '' ? 'empty' : value} />;
}

/** Long names, lists of values and patterns end in dots; the whole is told on hover. */
function Clipped({ text }: { readonly text: string }) {
  return (
    <Text span inherit truncate="end" title={text} style={{ display: 'block', maxWidth: 200 }}>
      {text}
    </Text>
  );
}
