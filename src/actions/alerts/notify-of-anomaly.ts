import { explanationOf, type Explanation } from '../../analysis/anomalies/explanation/compose.ts';
import { nameOf } from '../../analysis/anomalies/explanation/causes.ts';
import { formatShare } from '../../analysis/anomalies/explanation/format.ts';
import { formatDay, formatMoney, formatPeriod } from '../../kit/text/format.ts';
import { lookUpAnomaly } from '../../analysis/anomalies/anomalies.ts';
import type { Severity } from '../../analysis/anomalies/detection/episodes.ts';
import { addDays, dayOf, type Day } from '../../kit/time/period.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { announce } from '../notifications/announce.ts';
import type { Announcement } from '../notifications/announcement.ts';
import type { Bar } from '../../tenancy/mail/figures.ts';
import type { Tone } from '../../tenancy/mail/style.ts';
import { findAccount } from './store.ts';

type Anomaly = NonNullable<Awaited<ReturnType<typeof lookUpAnomaly>>>;
type BilledAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** Announces an open anomaly to each member who has access to the account and anomaly alerts enabled, and to the channels that
 *  receive anomalies: once, and a leak again when it has become worse. Anomalies that a user already handled, or that have been
 *  resolved since, are not announced. */
export async function notifyOfAnomaly(
  deps: Pick<Deps, 'db' | 'queue' | 'clock'>,
  scope: OrgScope,
  anomalyId: string,
): Promise<void> {
  const anomaly = await lookUpAnomaly(deps, scope, anomalyId);
  if (anomaly?.status !== 'open') return;
  const { accountId } = anomaly;
  const account = await findAccount(deps.db, scope.organizationId, accountId);
  if (account === null) return;
  const announcement = announcementOf(anomaly, account);
  const everyone = { owner: null, addresses: [], slackOf: null, channelIds: [], everyone: { accountId } };
  const recipients = { ...everyone, about: { accountIds: [accountId] } };
  await deps.db.$transaction((db) => announce(db, deps, scope.organizationId, { announcement, recipients }));
}

const tones: Readonly<Record<Severity, Tone>> = {
  low: 'info',
  medium: 'warning',
  high: 'critical',
  critical: 'critical',
};

/** Builds the announcement of an anomaly. */
function announcementOf(anomaly: Anomaly, { name: account, completeThrough }: BilledAccount): Announcement {
  const { id, service, currency, region, severity, facts } = anomaly;
  const [startDate, endDate] = [dayOf(anomaly.startDate), dayOf(anomaly.endDate)];
  const explanation = explanationOf(anomaly);
  const more = formatMoney(facts.impact, currency);
  const percent = facts.impactPercent === null ? '' : ` (${formatShare(facts.impactPercent)})`;
  return {
    kind: 'anomaly_alert',
    // A leak that has become worse is announced again.
    subjectKey: anomaly.kind === 'leak' ? `anomaly:${id}:${endDate}` : `anomaly:${id}`,
    tone: tones[severity],
    title: `${service} in ${account}: ${more} more than expected`,
    lead: explanation.summary,
    facts: [
      { label: 'Account', value: account },
      { label: 'Service', value: service },
      ...(region === '' ? [] : [{ label: 'Region', value: region }]),
      startDate === endDate
        ? { label: 'Day', value: formatDay(startDate) }
        : { label: 'Days', value: formatPeriod(startDate, endDate) },
      ...stateOf(endDate, completeThrough),
      { label: 'Cost', value: formatMoney(facts.actual, currency) },
      { label: 'Expected', value: formatMoney(facts.expected, currency) },
      { label: 'Difference', value: `${more}${percent}` },
      { label: 'Severity', value: `${severity.slice(0, 1).toUpperCase()}${severity.slice(1)}` },
    ],
    bars: barsOf(explanation, currency),
    paragraphs: [
      ...explanation.likelyCauses.slice(0, 2).map((cause) => `Possible cause: ${cause}`),
      ...explanation.nextSteps.slice(0, 1).map((step) => `Next: ${step}`),
    ],
    action: { label: 'Open the anomaly', path: `/anomalies/${id}` },
    reason:
      `You received this because you have access to the account ${account} and have anomaly alerts turned on, ` +
      'or are in a channel that receives anomalies.',
  };
}

/** Returns the fact that states whether the cost is still too high; none without complete bills. */
function stateOf(endDate: Day, completeThrough: Day | null): Announcement['facts'] {
  if (completeThrough === null) return [];
  const value =
    endDate >= completeThrough
      ? `Ongoing as of ${formatDay(completeThrough)}, the last day with complete bills`
      : `Back to normal since ${formatDay(addDays(endDate, 1))}`;
  return [{ label: 'Now', value }];
}

const mostBars = 4;
/** Minimum share of a bar, in percent; smaller bars carry no information. */
const leastShare = 5;

/** Returns the parts of the difference, by the finest dimension that explains it. */
function barsOf({ drivers }: Explanation, currency: string): readonly Bar[] | undefined {
  const dimension = (['resource', 'usage_type', 'region', 'sub_account'] as const).find((each) =>
    drivers.some((driver) => driver.dimension === each && driver.share >= 25),
  );
  const own = drivers.filter((driver) => driver.dimension === dimension && driver.share >= leastShare);
  if (own.length === 0) return undefined;
  return own.slice(0, mostBars).map((driver) => ({
    label: nameOf(driver),
    value: formatMoney(driver.change, currency),
    share: Math.min(1, driver.share / 100),
  }));
}
