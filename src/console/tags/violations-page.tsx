import { IconCircleCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useInventoryChoices } from '../inventory/choices.ts';
import { useAccountChoices, useCostChoices, useTagKeyChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar, type Choice } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { knownOf, pageOf, someOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { ViolationsQuery } from './queries.ts';
import { TagsTabs } from './tags-tabs.tsx';
import { usePolicies } from './use-policies.ts';
import { problems, problemWords, violationColumns } from './violation-columns.tsx';

const filters = ['policy', 'key', 'problem', 'account', 'provider', 'type'];
const problemChoices = problems.map((value) => ({ value, label: problemWords(value) }));

/** What the address asks for. */
function questionOf(state: UrlState) {
  const problem = knownOf(state, 'problem', problems);
  return {
    policyId: someOf(state, 'policy'),
    key: someOf(state, 'key'),
    problem: problem.length > 0 ? problem : undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    resourceType: someOf(state, 'type'),
  };
}

/** Resources that break enabled policies, the dearest first. */
export function ViolationsPage() {
  const state = useUrlState();
  const question = questionOf(state);
  const sort = state.one('sort') ?? '-cost_last_30_days';
  const answer = useAnswer(ViolationsQuery, {
    ...question,
    sortBy: sortValue(sort),
    page: pageOf(state),
    perPage: 25,
  });
  const { choices, policies, ruleOf } = usePolicies();
  const columns = useMemo(() => violationColumns(ruleOf), [ruleOf]);
  return (
    <Page
      title="Tag violations"
      lead="Resources that break enabled policies. They are judged after each sync, once a day, and when a policy changes."
      actions={<CsvButton path={`/tags/violations${csvQuery(question, sort)}`} name="tag-violations" />}
    >
      <TagsTabs />
      <Filters state={state} policies={choices} />
      <ListCard
        label="Tag violations"
        of={answer}
        page={(data) => data.tagViolations}
        columns={columns}
        keyOf={({ policyId, resource, key }) => `${policyId} ${resource.id} ${key}`}
        hrefOf={({ resource }) => `/inventory/${resource.id}`}
        state={state}
        sort={sort}
        noun={['violation']}
        filters={filters}
        empty={<NoViolations hasPolicies={policies.some(({ enabled }) => enabled)} />}
      />
    </Page>
  );
}

function csvQuery(question: ReturnType<typeof questionOf>, sort: string) {
  const { policyId, accountId, resourceType, problem, ...same } = question;
  return queryOf({
    ...same,
    problem: problem?.map((value) => value.toLowerCase()),
    policy_id: policyId,
    account_id: accountId,
    resource_type: resourceType,
    sort_by: sort,
  });
}

function Filters({ state, policies }: { readonly state: UrlState; readonly policies: readonly Choice[] }) {
  const accounts = useAccountChoices();
  const keys = useTagKeyChoices();
  const { providers } = useCostChoices();
  const { types } = useInventoryChoices();
  return (
    <FilterBar state={state} keys={filters}>
      <ChoiceFilter state={state} name="policy" label="Policy" choices={policies} />
      <ChoiceFilter state={state} name="problem" label="Problem" choices={problemChoices} isClosed />
      <ChoiceFilter state={state} name="key" label="Key" choices={keys} />
      <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
      <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
      <ChoiceFilter state={state} name="type" label="Type" choices={types} />
    </FilterBar>
  );
}

function NoViolations({ hasPolicies }: { readonly hasPolicies: boolean }) {
  if (hasPolicies)
    return <Empty icon={IconCircleCheck} title="No violations" text="Every resource keeps the policies." />;
  return (
    <Empty
      title="No policy is enabled"
      text={
        <>
          A{' '}
          <Link href="/tags/policies" style={{ textDecoration: 'underline' }}>
            policy
          </Link>{' '}
          says what is expected of the tags of resources.
        </>
      }
    />
  );
}
