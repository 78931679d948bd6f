import { Alert } from '@mantine/core';
import { IconArrowsSplit } from '@tabler/icons-react';
import { useAnswer } from '../api/use-api.ts';
import { useVirtualTagSplits } from '../parts/choices/choices.tsx';
import { Muted } from '../parts/form/menu.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Card } from '../parts/page/card.tsx';
import { Empty, Shown, TextLink } from '../parts/page/page.tsx';
import { counted, days, money, month, signedMoney } from '../words/format.ts';
import classes from './costs.module.css';
import { virtualKeyIn, type Dimension, filterValue, isPrefix } from './dimensions.ts';
import { grouped } from './drill.ts';
import { Costs, tableVariables, type CostsAnswer } from './queries.ts';
import type { Question } from './question.ts';

interface Props {
  readonly state: UrlState;
  readonly question: Question;
}

/** Explains the cost of a virtual tag's value, if the costs are filtered by one and shared costs are included: its direct
 *  cost, what splits add or take away, and the total. */
export function SharedCard({ state, question }: Props) {
  const of = valueOf(question);
  if (of === null || state.one('shared') !== 'true') return null;
  return <Explained state={state} question={question} of={of} />;
}

interface Value {
  readonly dimension: Dimension;
  readonly value: string;
}

/** The value of a virtual tag that the filters narrow the costs to. */
function valueOf({ filters }: Question): Value | null {
  const filter = filters.find(
    ({ dimension, isExcluded, values }) =>
      virtualKeyIn(dimension) !== null && !isExcluded && values.length === 1 && !isPrefix(values[0] ?? ''),
  );
  const value = filterValue(filter?.values[0] ?? '');
  return filter && value ? { dimension: filter.dimension, value } : null;
}

function Explained({ state, question, of }: Props & { readonly of: Value }) {
  const answer = useAnswer(
    Costs,
    tableVariables({ ...question, groups: [of.dimension], includesShared: true, compare: 'none', sort: '-cost' }),
  );
  return (
    <Card title={`Direct and shared costs of ${of.value}`} note={days(question.range.from, question.range.to)}>
      <Shown of={answer} height={120}>
        {({ costs }) => {
          const row = costs?.rows[0];
          if (!costs || !row) return <Empty title="No cost" text="This value has no cost in this period." />;
          const { directCost, sharedCost, cost } = row;
          return (
            <Steps direct={directCost ?? 0} shared={sharedCost ?? 0} total={cost} of={of} currency={costs.currency} />
          );
        }}
      </Shown>
      {!question.includesShared && (
        <Muted mt="sm">
          The figures below are direct costs.{' '}
          <TextLink href={`/costs${state.with(grouped(of.dimension))}`} inherit underline="always">
            Group by {virtualKeyIn(of.dimension)}
          </TextLink>{' '}
          to include shared costs.
        </Muted>
      )}
    </Card>
  );
}

interface StepsProps {
  readonly direct: number;
  readonly shared: number;
  readonly total: number;
  readonly of: Value;
  readonly currency: string;
}

/** Waterfall from the direct cost to the total. */
function Steps({ direct, shared, total, of, currency }: StepsProps) {
  const splits = useVirtualTagSplits(virtualKeyIn(of.dimension) ?? '');
  const low = Math.min(0, direct, total);
  const span = Math.max(0, direct, total) - low || 1;
  const by = splits.length > 0 ? ` (${splits.join(', ')})` : '';
  const steps = [
    { name: 'Direct', note: 'Charges of this value', from: 0, to: direct, shown: money(direct, currency) },
    {
      name: shared < 0 ? 'Passed on' : 'Shared',
      note: shared < 0 ? `To other values${by}` : `Received from other values${by}`,
      from: direct,
      to: total,
      shown: signedMoney(shared, currency),
    },
    { name: 'Total', note: 'Direct and shared', from: 0, to: total, shown: money(total, currency) },
  ];
  return (
    <ul className={`plain ${classes.steps}`} aria-label={`From direct cost to total of ${of.value}`}>
      {steps.map(({ name, note, from, to, shown }) => (
        <li key={name}>
          <span>
            <b>{name}</b>
            <span className={classes.stepNote}>{note}</span>
          </span>
          <span className={classes.stepTrack} aria-hidden>
            <span
              style={{
                left: `${((Math.min(from, to) - low) / span) * 100}%`,
                width: `${(Math.abs(to - from) / span) * 100}%`,
                background:
                  name === 'Direct' ? 'var(--chart-1)' : name === 'Total' ? 'var(--chart-2)' : 'var(--chart-3)',
              }}
            />
          </span>
          <span className="figures">{shown}</span>
        </li>
      ))}
    </ul>
  );
}

/** Names the splits that could not be applied. */
export function SkippedSplits({ splits }: { readonly splits: CostsAnswer['skippedSplits'] }) {
  if (!splits || splits.length === 0) return null;
  const named = [...Map.groupBy(splits, ({ name }) => name)].map(
    ([name, months]) => `“${name}” in ${months.map((one) => month(one.month)).join(', ')}`,
  );
  return (
    <Alert color="yellow" icon={<IconArrowsSplit size={18} aria-hidden />} p="xs">
      {counted(named.length, 'split')} not applied, because no target has costs or metric values: {named.join('; ')}.
      The shared costs stay with their source values.
    </Alert>
  );
}
