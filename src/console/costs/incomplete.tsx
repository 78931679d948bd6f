import { Alert, Group } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { chosenDays } from '../parts/list/day-range.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { addDays, today } from '../words/days.ts';
import { day, days } from '../words/format.ts';
import { tagKeyIn } from './dimensions.ts';
import type { CostsView } from './use-costs.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** Says which of the requested days are left out, or that the bills of the shown days are incomplete, so that costs and comparisons
 *  are too low, and which costs are missing. */
export function Incomplete({ state, view }: Props) {
  const { asked, range } = view.question;
  const isWhole = range.to === asked.to || range.to === today();
  return (
    <>
      {isWhole ? (
        <StillGrowing state={state} view={view} />
      ) : (
        <Note>
          {`Figures, averages and changes cover the complete days ${days(range.from, range.to)}.`}
          <Act label="Include incomplete days" size="compact-sm" onClick={() => state.set({ incomplete: 'true' })} />
        </Note>
      )}
      <Behind view={view} />
    </>
  );
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="gray" icon={<IconClock size={18} aria-hidden />} p="xs">
      <Group gap="sm">{children}</Group>
    </Alert>
  );
}

function StillGrowing({ state, view }: Props) {
  const { from, to } = view.question.range;
  const completeThrough = view.lastCompleteDay;
  if (completeThrough !== null && completeThrough >= to) return null;
  const first = completeThrough !== null && completeThrough >= from ? addDays(completeThrough, 1) : null;
  const text =
    completeThrough === null
      ? 'No day has complete bills yet, so these costs will still grow.'
      : `Bills are complete through ${day(completeThrough)}. ${first ? `Costs for ${days(first, to)}` : 'These costs'} will still grow, so compare with care.`;
  return (
    <Note>
      {text}
      {first && completeThrough !== null && (
        <Act
          label="Complete days only"
          size="compact-sm"
          onClick={() => state.set({ ...chosenDays({ from, to: completeThrough }), incomplete: null })}
        />
      )}
    </Note>
  );
}

/** Names the last complete day of accounts that are too far behind to count. */
function Behind({ view: { completeThrough, lastCompleteDay } }: Pick<Props, 'view'>) {
  if (completeThrough === null || lastCompleteDay === null || completeThrough >= lastCompleteDay) return null;
  return (
    <Note>
      {`At least one account has complete bills only through ${day(completeThrough)}, so its later costs may be missing.`}
      <Act label="Accounts" size="compact-sm" href="/accounts?sort=complete_through" />
    </Note>
  );
}

/** Names the tag keys of the grouping without a value in any of the costs, for example misspelled ones. */
export function UnusedTagKeys({ view: { question, rows, isWhole } }: Pick<Props, 'view'>) {
  const keys = [...question.groups].flatMap((dimension, index) => {
    const isFiltered = question.filters.some((filter) => filter.dimension === dimension);
    const isUnused = isWhole && !isFiltered && rows.every((row) => row.keys[index]?.value === null);
    return isUnused ? (tagKeyIn(dimension ?? '') ?? []) : [];
  });
  return keys.map((key) => (
    <Note key={key}>
      {`None of these costs has the tag “${key}”, so all are untagged.`}
      <Act label="Tag keys" size="compact-sm" href="/tags" />
    </Note>
  ));
}
