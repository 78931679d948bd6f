import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import { useAnswer } from '../api/use-answer.ts';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { Pager, PastTheEnd } from '../parts/pager.tsx';
import { Shown } from '../parts/shown.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import { pageOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { CoverageFilters, CoverageTabs, scopeKeys, scopeOf } from './filters.tsx';
import { MethodCard } from './method-card.tsx';
import { PoolCard } from './pool-card.tsx';
import { poolsOf } from './pools.ts';
import { PlannerQuery, type Plan } from './queries.ts';

const terms = [
  { value: 'any', label: 'Any term' },
  { value: '12', label: '1 year' },
  { value: '36', label: '3 years' },
];
/** Pools on a page. */
const perPage = 5;

/** Commitments that would have cost least. */
export function PlannerPage() {
  const state = useUrlState();
  const answer = useAnswer(PlannerQuery, scopeOf(state));
  return (
    <Page title="Commitment planner" lead="Commitments that would have cost least over the usage that none covers.">
      <CoverageTabs state={state} />
      <CoverageFilters state={state} keys={['term']}>
        <OneOf state={state} name="term" label="Term" choices={terms} />
      </CoverageFilters>
      <Alert color="harbor" variant="light" icon={<IconInfoCircle size={18} aria-hidden />}>
        Costkeep never buys anything. Each plan is a calculation; to act on one, buy the commitment in the provider’s
        own console.
      </Alert>
      <Shown of={answer} height={480}>
        {({ coveragePlanner }) => coveragePlanner && <Planned plan={coveragePlanner} state={state} />}
      </Shown>
    </Page>
  );
}

function Planned({ plan, state }: { readonly plan: Plan; readonly state: UrlState }) {
  const term = state.one('term');
  const kept = plan.recommendations.filter(({ termMonths }) => !term || String(termMonths) === term);
  const pools = poolsOf(kept);
  return (
    <Stack gap="md">
      <Unconverted costs={plan.unconverted} currency={plan.currency} />
      {pools.length === 0 ? (
        <Card flush>
          <NoPlans isFiltered={state.has(...scopeKeys, 'term')} />
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
    ? 'No usage that matches the filters would be cheaper with a commitment.'
    : 'No usage would be cheaper with a commitment, or there are too few days to tell.';
  return <Empty icon={IconShieldCheck} title="No commitment is worth buying" text={text} />;
}
