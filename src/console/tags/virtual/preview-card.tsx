import { Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { BarList } from '../../charts/bar-list.tsx';
import { IconAct } from '../../parts/form/dialog.tsx';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { Card, Track } from '../../parts/page/card.tsx';
import { Caveats } from '../../parts/page/caveats.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { valueLabel } from '../../costs/dimensions.ts';
import { dimensionInput, DimensionValues, mostRows } from '../../costs/queries.ts';
import { Empty, RefusalAlert } from '../../parts/page/page.tsx';
import { counted, days, money, percent } from '../../words/format.ts';
import type { VirtualTagPreview } from '../queries.ts';
import { newCondition, newRule, type DraftRule } from './draft.ts';
import type { Preview } from './use-preview.ts';
import classes from './virtual-tags.module.css';

interface Props {
  readonly preview: Preview;
  onAddRule(rule: DraftRule): void;
}

/** Result of the rules of the form: the allocated share, the cost of each value and the unallocated cost. */
export function PreviewCard({ preview, onAddRule }: Props) {
  const { data, refusal, isIncomplete, isStale } = preview;
  return (
    <Card title="Preview" note={data && `${days(data.startDate, data.endDate)}`}>
      <Stack gap="md" aria-busy={isStale}>
        <RefusalAlert refusal={refusal} />
        {isIncomplete && <Muted>Complete the rules to update the preview.</Muted>}
        {data && (
          <div style={{ opacity: isStale || isIncomplete ? 0.6 : 1 }}>
            <Shown data={data} onAddRule={onAddRule} />
          </div>
        )}
        {!data && !isIncomplete && !refusal && <Skeleton height={240} radius="md" aria-label="Loading" />}
      </Stack>
    </Card>
  );
}

interface ShownProps extends Omit<Props, 'preview'> {
  readonly data: VirtualTagPreview;
}

function Shown({ data, onAddRule }: ShownProps) {
  const { currency, totalCost, unallocatedCost, coveragePercent, values, valueCount, unallocated } = data;
  if (coveragePercent === null)
    return <Empty title="No cost" text="There are no costs in this period to evaluate the rules on." />;
  const left = valueCount - values.length;
  return (
    <Stack gap="md">
      <Caveats of={data} />
      <div role="status">
        <Text component="div" className={classes.covered}>
          {percent(coveragePercent)} allocated
        </Text>
        <Track percent={coveragePercent} style={{ height: 7, margin: '6px 0' }} aria-hidden />
        <Muted>
          {money(unallocatedCost, currency)} of {money(totalCost, currency)} has the default value.
        </Muted>
      </div>
      <section aria-label="Cost per value">
        <Text size="sm" fw={600} mb={6}>
          Cost per value
        </Text>
        <BarList
          label="Cost per value"
          noun="values"
          most={8}
          bars={values.map(({ value, cost, percentage }) => ({
            key: value,
            label: value,
            value: cost,
            shown: money(cost, currency),
            note: percentage === null ? '' : percent(percentage),
          }))}
        />
        {left > 0 && <Muted mt={4}>{counted(left, 'smaller value')} not shown.</Muted>}
      </section>
      {unallocated.length > 0 && <Unallocated groups={unallocated} currency={currency} onAddRule={onAddRule} />}
    </Stack>
  );
}

type Group = VirtualTagPreview['unallocated'][number];

interface UnallocatedProps extends Pick<Props, 'onAddRule'> {
  readonly groups: readonly Group[];
  readonly currency: string;
}

/** Groups shown before expanding. */
const mostGroups = 8;

/** Groups of unallocated charges, each with a button that starts a rule for it. */
function Unallocated({ groups, currency, onAddRule }: UnallocatedProps) {
  const [isWhole, setWhole] = useState(false);
  const nameOf = useSubAccountName();
  return (
    <section aria-label="Largest unallocated costs">
      <Text size="sm" fw={600} mb={6}>
        Largest unallocated costs
      </Text>
      <ul className={`plain ${classes.groups}`}>
        {(isWhole ? groups : groups.slice(0, mostGroups)).map((group) => {
          const name = group.service ?? 'No service';
          const place = group.subAccountId === null ? 'No sub-account' : nameOf(group.subAccountId);
          return (
            <li key={`${group.subAccountId} ${name}`}>
              <span className={classes.group}>
                {name}
                <span className={classes.if} title={group.subAccountId ?? undefined}>
                  {place}
                </span>
              </span>
              <span className="figures">{money(group.cost, currency)}</span>
              <IconAct
                label={`Add rule from ${name}, ${place}`}
                tip="Add rule from this"
                Icon={IconPlus}
                onClick={() => onAddRule(ruleFrom(group))}
              />
            </li>
          );
        })}
      </ul>
      {groups.length > mostGroups && (
        <Act
          label={isWhole ? 'Show fewer' : `Show all ${groups.length} groups`}
          variant="subtle"
          size="compact-xs"
          mt={6}
          onClick={() => setWhole(!isWhole)}
          aria-expanded={isWhole}
        />
      )}
    </section>
  );
}

/** Returns a lookup of sub-account names by ID; the ID if the bills contain no name. */
function useSubAccountName(): (id: string) => string {
  const { data } = useAnswer(DimensionValues, { dimension: dimensionInput('sub_account'), limit: mostRows });
  const labels = useMemo(
    () => new Map(data?.costDimensionValues?.values.map(({ value, label }) => [value, label])),
    [data],
  );
  return (id) => valueLabel('sub_account', id, labels.get(id) ?? null);
}

/** A rule for a group of charges, whose value is still to be entered. */
function ruleFrom({ service, subAccountId }: Group): DraftRule {
  const conditionOn = (dimension: string, value: string | null) =>
    value === null
      ? newCondition({ dimension, operator: 'MISSING' })
      : newCondition({ dimension, operator: 'IN', values: [value] });
  return newRule({ conditions: [conditionOn('service', service), conditionOn('sub_account', subAccountId)] });
}
