import { moreThanAll, nameOf, topDriver, meterNatureOf } from './causes.ts';
import type { AnomalyFacts } from './facts.ts';
import { formatDay, formatMoney } from '../../../kit/text/format.ts';

const most = 5;
/** Share in percent from which on one place is where to look. */
const dominant = 60;
const daysPerMonth = 30;

/** Each cloud's audit log of changes. */
const changeLogs: Readonly<Record<string, string>> = {
  aws: 'CloudTrail',
  azure: 'the Activity Log',
  gcp: 'Cloud Audit Logs',
};

/** Returns the recommended next steps, in order. The service performs none of them. */
export function nextSteps(facts: AnomalyFacts): string[] {
  return [...whereToLook(facts), whatChanged(facts), ...bySort(facts), ...ifUnknown(facts), afterwards(facts)].slice(
    0,
    most,
  );
}

function whereToLook(facts: AnomalyFacts): string[] {
  const place = [topDriver(facts, 'region'), topDriver(facts, 'sub_account')]
    .filter((driver) => driver !== null && driver.share >= dominant)
    .flatMap((driver) => (driver ? [nameOf(driver)] : []))
    .join(', ');
  const resource = topDriver(facts, 'resource');
  if (resource !== null && resource.share >= 25)
    return [
      `Check ${nameOf(resource)}${place ? ` (${place})` : ''}: its owner, its metrics of these days, and its workload.`,
    ];
  return place ? [`Check ${facts.service} in ${place}.`] : [];
}

function whatChanged({ provider, startDate, service }: AnomalyFacts): string {
  const log = changeLogs[provider];
  return `Check deployments and changes that affect ${service} on ${formatDay(startDate)} and the day before${log ? `, in ${log} and in your own releases` : ''}.`;
}

function bySort(facts: AnomalyFacts): string[] {
  const meter = topDriver(facts, 'usage_type');
  const nature = meter === null ? null : meterNatureOf(`${meter.value} ${meter.name}`, facts.service);
  return nature === null ? [] : [nature.step];
}

/** Unknown resources may be unauthorized use. */
function ifUnknown({ kind, newResources }: AnomalyFacts): string[] {
  const { share } = newResources;
  const isNew = kind === 'new_service' || (share >= dominant && share < moreThanAll);
  return isNew
    ? ['Find its owner. If it has none, treat it as an incident: stop it and rotate the credentials that created it.']
    : [];
}

function afterwards({ kind, impact, dayCount, currency }: AnomalyFacts): string {
  if (kind === 'spike') return 'Acknowledge it when the cause is known, and resolve it when it cannot happen again.';
  const month = formatMoney((impact / Math.max(1, dayCount)) * daysPerMonth, currency);
  return `If the increase is intended, acknowledge it and raise the budget: at this level, it costs about ${month} more in 30 days.`;
}
