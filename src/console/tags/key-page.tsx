import { Group, SimpleGrid, Stack } from '@mantine/core';
import { IconTagOff } from '@tabler/icons-react';
import { usePathname } from 'wouter/use-browser-location';
import { Act } from '../parts/form/menu.tsx';
import { useAnswer } from '../api/use-api.ts';
import { costsHref, type CostsQuestion } from '../costs/address.ts';
import { inventoryHref } from '../inventory/queries.ts';
import { CsvButton, queryOf } from '../parts/list/csv.tsx';
import { BadAddress, dayFaults, DayRangePicker, lastDays, type DayRange } from '../parts/list/day-range.tsx';
import { byAccount, byProvider, keysOf, questionOf } from '../parts/list/definition.tsx';
import { FilterControls } from '../parts/list/list.tsx';
import { useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { FigureCard } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { Empty, Page, Shown } from '../parts/page/page.tsx';
import { today } from '../words/days.ts';
import { counted, days, money, percent, wholeMoney } from '../words/format.ts';
import { useLastDay } from '../costs/last-day.ts';
import { CostsByTag, type TagCosts } from '../costs/totals.ts';
import { TagKeysQuery, type TagKeyRow } from './queries.ts';
import { tagKeyOf } from './tabs.tsx';
import { ValuesCard } from './values-card.tsx';
import { noValue } from '../costs/dimensions.ts';

const filters = { accountId: byAccount, provider: byProvider };

/** Tag key page: cost by value, and charges without the tag. */
export function TagKeyPage() {
  const key = tagKeyOf(usePathname());
  const state = useUrlState();
  const lastDay = useLastDay();
  const { from, to } = rangeOf(state, lastDay);
  const scope = questionOf(filters, state);
  const faults = dayFaults({ from, to });
  const isGood = faults.length === 0;
  const asked = { tagKey: key, startDate: from, endDate: to, ...scope };
  const costs = useAnswer(CostsByTag, asked, { pause: !isGood || lastDay === null });
  const { accountId = null, provider = null } = scope;
  const explorer: CostsQuestion = { from, to, account: accountId, provider, group: `tag:${key}` };
  const csv = queryOf({ tag_key: key, start_date: from, end_date: to, account_id: scope.accountId, provider });
  return (
    <Page
      title={key}
      crumbs={[['Tags', '/tags']]}
      lead="Costs by the values of this tag key"
      reads={[...keysOf(filters), 'from', 'to']}
      actions={
        isGood && (
          <>
            <Act label="Explore costs" href={costsHref(explorer)} />
            <CsvButton path={`/costs/by-tag${csv}`} name={`costs-by-${key.replaceAll(/[^\w.-]+/g, '-')}`} isWhole />
          </>
        )
      }
    >
      {isGood ? (
        <>
          <Group gap="xs">
            <DayRangePicker
              value={{ from, to }}
              lastDay={lastDay}
              onChange={(range) => state.set({ from: range.from, to: range.to })}
            />
            <FilterControls filters={filters} state={state} />
          </Group>
          <Shown of={costs} height={500}>
            {({ costsByTag }) => (
              <Content tagKey={key} costs={costsByTag} explorer={explorer} isFiltered={state.has(...keysOf(filters))} />
            )}
          </Shown>
        </>
      ) : (
        <BadAddress state={state} faults={faults} what="the tag key" />
      )}
    </Page>
  );
}

/** Date range from the URL; default: the last 30 days. */
function rangeOf(state: UrlState, lastDay: string | null): DayRange {
  const [from, to] = [state.one('from'), state.one('to')];
  const last30 = lastDays(30, lastDay ?? today());
  return { from: from ?? last30.from, to: to ?? last30.to };
}

interface FiguresProps {
  readonly tagKey: string;
  readonly costs: TagCosts;
  readonly used: TagKeyRow | undefined;
  readonly explorer: CostsQuestion;
}

interface ContentProps extends Omit<FiguresProps, 'costs' | 'used'> {
  readonly costs: TagCosts | null;
  readonly isFiltered: boolean;
}

function Content({ tagKey, costs, explorer, isFiltered }: ContentProps) {
  const scope = questionOf(filters, useUrlState());
  const usage = useAnswer(TagKeysQuery, { search: tagKey, ...scope, sortBy: 'KEY_ASC', perPage: 100 });
  const used = usage.data?.tags?.data.find(({ key }) => key.toLowerCase() === tagKey.toLowerCase());
  const isKnown = used !== undefined || costs?.groups.some(({ tagValue }) => tagValue !== null) === true;
  if (usage.isLoading) return null;
  if (!costs || !isKnown) {
    const where = isFiltered ? ' that matches the filters' : '';
    return (
      <Empty
        icon={IconTagOff}
        title="No data for this tag key"
        text={`No resource${where} and no charge in this period has the tag key “${tagKey}”.`}
      />
    );
  }
  return (
    <Stack gap="md">
      <Caveats of={costs} />
      <Figures tagKey={tagKey} costs={costs} used={used} explorer={explorer} />
      <ValuesCard tagKey={tagKey} costs={costs} explorer={explorer} />
    </Stack>
  );
}

function Figures({ tagKey, costs, used, explorer }: FiguresProps) {
  const { currency, totalCost, groups } = costs;
  const untagged = groups.find(({ tagValue }) => tagValue === null);
  const range = days(explorer.from ?? '', explorer.to ?? '');
  const coverage = used?.coveragePercent ?? null;
  const share = untagged?.percentage ?? (untagged ? null : 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <FigureCard label="Cost" value={wholeMoney(totalCost, currency)} below={range} />
      <FigureCard
        label="Untagged"
        value={share === null ? '–' : percent(share)}
        below={money(untagged?.cost ?? 0, currency)}
        href={costsHref({ ...explorer, group: 'service', [`tag:${tagKey}`]: noValue })}
      />
      <FigureCard
        label="Coverage"
        value={coverage === null ? '–' : percent(coverage)}
        below="of taggable costs, last 30 days"
      />
      <FigureCard
        label="Resources"
        value={(used?.resourceCount ?? 0).toLocaleString('en-US')}
        below={`with ${counted(used?.valueCount ?? 0, 'value')}`}
        href={inventoryHref({ tagKey })}
      />
    </SimpleGrid>
  );
}
