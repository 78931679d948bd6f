import { Box, Text } from '@mantine/core';
import { IconCircleCheck, IconTargetArrow } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ResultOf } from '../api/graphql.ts';
import type { AnomaliesQuery } from '../anomalies/queries.ts';
import type { BudgetRow } from '../budgets/queries.ts';
import { excludedOf, isIncomplete, ProjectedStatus, UsedMeter } from '../budgets/status.tsx';
import { Act, Muted } from '../parts/form/menu.tsx';
import { progressOf, remedyOf } from '../accounts/detail/sync.tsx';
import { syncedAt, unsyncedText, type AccountRow } from '../accounts/queries.ts';
import { SampleBadge } from '../accounts/sample/sample.tsx';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { Card, StatusOf } from '../parts/page/card.tsx';
import { Empty, TextLink } from '../parts/page/page.tsx';
import { notIncluded, type Summary } from '../recommendations/queries.ts';
import { typeName, typeParameter, typeProvider } from '../recommendations/types.ts';
import { providerName } from '../../kit/text/provider-name.ts';
import { ago, counted, day, days, money, percent, signedMoney } from '../words/format.ts';
import classes from './overview.module.css';
import { BudgetsWithin, type Findings } from './queries.ts';

/** Link to a whole list. */
function All({ of, children = 'All' }: { readonly of: string; readonly children?: string }) {
  return (
    <TextLink href={`/${of}`} aria-label={`All ${of}`}>
      {children}
    </TextLink>
  );
}

/** Open anomalies, highest impact first. */
export function AnomaliesCard({ anomalies }: ResultOf<typeof AnomaliesQuery>) {
  const { data = [], pagination } = anomalies ?? {};
  return (
    <Card
      title="Open anomalies"
      note={pagination && pagination.total > data.length ? `top ${data.length} of ${pagination.total}` : undefined}
      actions={<All of="anomalies" />}
    >
      {data.length === 0 ? (
        <Empty
          icon={IconCircleCheck}
          title="No open anomalies"
          text="Each day is compared with its expected cost after every sync."
        />
      ) : (
        <ItemList
          items={data.map((one) => ({
            key: one.id,
            name: one.service,
            href: `/anomalies/${one.id}`,
            badge: <StatusOf value={one.severity} />,
            below: [days(one.startDate, one.endDate), providerName(one.provider), one.region]
              .filter(Boolean)
              .join(' · '),
            figure: signedMoney(one.impact, one.currency),
          }))}
        />
      )}
    </Card>
  );
}

interface BudgetsCardProps {
  readonly atRisk: NonNullable<Findings['data']>['budgetsAtRisk'];
  /** Whether the caller sees any budget. */
  readonly hasBudgets: boolean;
  /** Whether costs without an exchange rate are excluded. */
  readonly isPartial: boolean;
}

/** Budgets that are exceeded, have reached a threshold or are forecast to exceed their amount, most used first. */
export function BudgetsCard({ atRisk, hasBudgets, isPartial }: BudgetsCardProps) {
  const { data: shown = [], pagination } = atRisk ?? {};
  const total = pagination?.total ?? 0;
  return (
    <Card
      title="Budgets at risk"
      note={
        [total > shown.length && `top ${shown.length} of ${total}`, shown.length > 0 && 'incomplete days included']
          .filter(Boolean)
          .join(', ') || undefined
      }
      actions={<All of="budgets" />}
    >
      {shown.length === 0 ? (
        <NoneAtRisk hasBudgets={hasBudgets} />
      ) : (
        <ItemList
          items={shown.map((one) => ({
            key: one.id,
            name: one.name,
            href: `/budgets/${one.id}`,
            badge: <ProjectedStatus budget={one} />,
            below: <Used budget={one} />,
            figure: one.percentUsed === null ? '–' : percent(one.percentUsed, 0),
          }))}
        />
      )}
      {isPartial && <IncompleteNote />}
    </Card>
  );
}

function Used({ budget }: { readonly budget: BudgetRow }) {
  const { name, amount, currency, currentSpend, forecastedSpend } = budget;
  const excluded = excludedOf(budget);
  return (
    <>
      <div style={{ margin: '5px 0 3px' }}>
        <UsedMeter budget={budget} label={`Budget ${name}`} />
      </div>
      {currentSpend === null ? '–' : money(currentSpend, currency)} of {money(amount, currency)}
      {forecastedSpend !== null && `, forecast ${money(forecastedSpend, currency)}`}
      {excluded !== null && `, ${excluded}`}
    </>
  );
}

/** Counts the budgets that are OK only because costs are excluded. */
function IncompleteNote() {
  const { data } = useAnswer(BudgetsWithin, {});
  const incomplete = data?.budgets?.data.filter(isIncomplete).length ?? 0;
  if (incomplete === 0) return null;
  return (
    <Muted size="xs">
      Incomplete: {counted(incomplete, 'budget')} may be at risk, too, due to costs that are not included.
    </Muted>
  );
}

function NoneAtRisk({ hasBudgets }: { readonly hasBudgets: boolean }) {
  const mayWrite = useMay('budgets.write');
  if (hasBudgets)
    return (
      <Empty
        icon={IconCircleCheck}
        title="No budget is at risk"
        text="No budget has reached a threshold or is forecast to exceed its amount."
      />
    );
  return (
    <Empty
      icon={IconTargetArrow}
      title="No budgets yet"
      text="Get alerted before you overspend."
      action={mayWrite && <Act label="Create a budget" href="/budgets/new" size="xs" />}
    />
  );
}

/** Maximum recommendation types shown. */
const mostTypes = 5;

/** Potential savings by recommendation type. */
export function SavingsCard({ summary }: { readonly summary: Summary | null }) {
  const types = (summary?.byType ?? []).slice(0, mostTypes);
  return (
    <Card
      title="Savings available"
      note={
        summary && summary.totalCount > 0
          ? `${money(summary.totalEstimatedMonthlySavings, summary.currency)} per month`
          : undefined
      }
      actions={<All of="recommendations" />}
    >
      {!summary || types.length === 0 ? (
        <Empty icon={IconCircleCheck} title="No recommendations" text="Recommendations are updated after each sync." />
      ) : (
        <ItemList
          items={types.map(({ type, count, estimatedMonthlySavings }) => ({
            key: type,
            name: typeName(type),
            href: `/recommendations?${new URLSearchParams({ type: typeParameter(type) }).toString()}`,
            below: [counted(count, 'recommendation'), typeProvider(type)].filter(Boolean).join(' · '),
            figure: money(estimatedMonthlySavings, summary.currency),
          }))}
        />
      )}
      {summary && summary.unconverted.length > 0 && (
        <Muted size="xs" mt="xs">
          {notIncluded(summary.unconverted)}
        </Muted>
      )}
    </Card>
  );
}

interface Item {
  readonly key: string;
  readonly name: string;
  readonly href: string;
  /** Shown beside the name, such as a status. */
  readonly badge?: ReactNode;
  readonly below?: ReactNode;
  readonly figure?: ReactNode;
}

/** Short list of links with one or two lines each. */
export function ItemList({ items }: { readonly items: readonly Item[] }) {
  return (
    <ul className="plain ruled">
      {items.map(({ key, name, href, badge, below, figure }) => (
        <li key={key} className={classes.item}>
          <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            <Link href={href} className={classes.name}>
              {name}
            </Link>{' '}
            {badge}
            {below && <Quiet>{below}</Quiet>}
          </Box>
          {figure && (
            <Box ta="right" className="figures" style={{ whiteSpace: 'nowrap' }}>
              {figure}
            </Box>
          )}
        </li>
      ))}
    </ul>
  );
}

function Quiet({ span = false, children }: { readonly span?: boolean; readonly children: ReactNode }) {
  return (
    <Text component={span ? 'span' : 'div'} fz={12.5} c="dimmed">
      {children}
    </Text>
  );
}

/** Maximum accounts shown. */
const mostAccounts = 6;

interface FreshnessCardProps {
  readonly accounts: readonly AccountRow[];
  /** Total number of accounts. */
  readonly total: number;
}

/** Last day with complete bills per account; accounts with failing syncs come first. */
export function FreshnessCard({ accounts, total }: FreshnessCardProps) {
  const connected = accounts.filter(({ status }) => status === 'CONNECTED');
  const rows = connected
    .toSorted((one, other) => Number(isFailing(other)) - Number(isFailing(one)))
    .slice(0, mostAccounts);
  const failing = connected.filter(isFailing).length;
  return (
    <Card
      title="Data freshness"
      note={failing > 0 ? `${counted(failing, 'sync', 'syncs')} failing` : undefined}
      actions={<All of="accounts">{total > rows.length ? `All ${total}` : 'All'}</All>}
    >
      {rows.length === 0 ? (
        <Muted>No account is connected. The data shown was loaded earlier.</Muted>
      ) : (
        <ItemList
          items={rows.map((account) => ({
            key: account.id,
            name: account.name,
            href: `/accounts/${account.id}`,
            badge: (
              <>
                {account.sample && <SampleBadge />}{' '}
                {account.syncStatus !== 'SUCCEEDED' && <StatusOf value={account.syncStatus} />}
              </>
            ),
            below: <SyncLine account={account} />,
            figure: <Complete account={account} />,
          }))}
        />
      )}
    </Card>
  );
}

function isFailing({ syncStatus }: AccountRow): boolean {
  return syncStatus === 'FAILED';
}

function Complete({ account: { completeThrough } }: { readonly account: AccountRow }): ReactNode {
  if (completeThrough === null) return <Quiet span>no complete days yet</Quiet>;
  return (
    <>
      <Quiet span>complete through</Quiet> {day(completeThrough)}
    </>
  );
}

function SyncLine({ account }: { readonly account: AccountRow }): ReactNode {
  const progress = progressOf(account);
  if (progress !== null) return progress;
  const at = syncedAt(account);
  const synced = at === null ? unsyncedText(account).toLowerCase() : `synced ${ago(at)}`;
  if (!isFailing(account)) return synced;
  return (
    <>
      <Text size="xs" c="var(--bad)" lineClamp={2}>
        {account.lastSyncError ?? 'The last sync failed.'}
      </Text>
      {remedyOf(account)} {at === null ? 'Never synced.' : `Last ${synced}.`}
    </>
  );
}
