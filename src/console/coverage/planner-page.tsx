import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import { useAnswer } from '../api/use-api.ts';
import { BadAddress } from '../parts/list/day-range.tsx';
import { keysOf, questionOf, strangerFaults } from '../parts/list/definition.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { FilterControls, Pager, PastTheEnd } from '../parts/list/list.tsx';
import { pageOf, useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { Card, Facts } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Page, Shown } from '../parts/page/page.tsx';
import { Views } from '../parts/views/menu.tsx';
import { counted, days, plainPercent } from '../words/format.ts';
import { CoverageTabs, scopeFilters } from './body.tsx';
import { PoolCard, poolsOf } from './pool-card.tsx';
import { PlannerQuery, type Plan } from './queries.ts';

const terms = [
  { value: 'any', label: 'Any term' },
  { value: '12', label: '1 year' },
  { value: '36', label: '3 years' },
];
/** Pools per page. */
const perPage = 5;

/** Planner page: recommended commitments. */
export function PlannerPage() {
  const state = useUrlState();
  const faults = strangerFaults(
    state,
    'term',
    terms.map(({ value }) => value),
  );
  return (
    <Page
      actions={<Views page="PLANNER" />}
      title="Commitment planner"
      lead="Lowest-cost commitments for your uncovered usage."
      reads={[...keysOf(scopeFilters), 'term', 'page']}
    >
      <CoverageTabs state={state} />
      {faults.length > 0 ? <BadAddress state={state} faults={faults} what="plans" /> : <Plans state={state} />}
    </Page>
  );
}

function Plans({ state }: { readonly state: UrlState }) {
  const answer = useAnswer(PlannerQuery, questionOf(scopeFilters, state));
  return (
    <>
      <FilterControls filters={scopeFilters} state={state} keys={['term']}>
        <OneOf state={state} name="term" label="Term" choices={terms} />
      </FilterControls>
      <Alert color="harbor" icon={<IconInfoCircle size={18} aria-hidden />}>
        Costkeep never buys anything. Each plan is a calculation; to act on one, buy the commitment in the provider’s
        own console.
      </Alert>
      <Shown of={answer} height={480}>
        {({ coveragePlanner }) => coveragePlanner && <Planned plan={coveragePlanner} state={state} />}
      </Shown>
    </>
  );
}

function Planned({ plan, state }: { readonly plan: Plan; readonly state: UrlState }) {
  const term = state.one('term');
  const kept = plan.recommendations.filter(({ termMonths }) => !term || String(termMonths) === term);
  const pools = poolsOf(kept);
  return (
    <Stack gap="md">
      <Caveats of={plan} />
      {pools.length === 0 ? (
        <Card flush>
          <NoPlans isFiltered={state.has(...keysOf(scopeFilters), 'term')} />
        </Card>
      ) : (
        <Pools pools={pools} plan={plan} state={state} />
      )}
      <MethodCard plan={plan} />
    </Stack>
  );
}

interface PoolsProps {
  readonly pools: ReturnType<typeof poolsOf>;
  readonly plan: Plan;
  readonly state: UrlState;
}

function Pools({ pools, plan, state }: PoolsProps) {
  const page = pageOf(state);
  const pages = { page, perPage, total: pools.length, totalPages: Math.ceil(pools.length / perPage) };
  if (page > pages.totalPages) return <PastTheEnd of={pages} state={state} />;
  return (
    <>
      {pools.slice((page - 1) * perPage, page * perPage).map((pool) => (
        <PoolCard key={pool.key} pool={pool} usageChange={plan.parameters.usageChangePercent} />
      ))}
      <Pager of={pages} state={state} noun={['plan']} />
    </>
  );
}

function NoPlans({ isFiltered }: { readonly isFiltered: boolean }) {
  const text = isFiltered
    ? 'No usage that matches the filters would cost less with a commitment.'
    : 'No usage would cost less with a commitment, or there is not enough history.';
  return <NoData icon={IconShieldCheck} title="No commitments recommended" text={text} />;
}

/** Parameters and method of the planner. */
function MethodCard({ plan: { parameters, startDate, endDate } }: { readonly plan: Plan }) {
  const { historyDays, minimumHistoryDays, usageChangePercent, expiringWithinDays, assumedDailySwingPercent } =
    parameters;
  return (
    <Card title="Assumptions">
      <Facts
        facts={[
          ['Days analyzed', `${days(startDate, endDate)}: ${historyDays} days up to each account’s last complete day`],
          ['Minimum history', `Accounts with fewer than ${counted(minimumHistoryDays, 'day')} are excluded`],
          ['Ending commitments', `Those that end within ${counted(expiringWithinDays, 'day')} are treated as ended`],
          [
            'Hourly variation',
            `For bills without hourly data, usage is assumed to vary by ±${plainPercent(assumedDailySwingPercent)} around its mean`,
          ],
          ['Sensitivity', `${plainPercent(usageChangePercent)} below and above the observed usage`],
          [
            'Observed discount',
            'Measured on your own covered usage. A documented discount is the one the provider publishes, rounded down',
          ],
          ['Break-even', 'Months of usage whose on-demand cost equals the cost of the whole term'],
          [
            'Alternatives',
            'The rows of a plan are alternatives for the same usage: buy one of them. Their savings do not add up',
          ],
        ]}
      />
    </Card>
  );
}
