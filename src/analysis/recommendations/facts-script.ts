import type { Finding } from './detector.ts';
import { sh, Unquotable, type Script } from './script.ts';
import { shortId, type Subject, type Window } from './subject.ts';

/** The scripts of a finding. Where there is nothing to execute, or a name cannot be quoted safely, a script that shows the
 *  facts read-only and prints what to do. Never empty. */
export function scriptsFor(finding: Finding, subject: Subject, window: Window): readonly Script[] {
  const scripts = unlessUnquotable(() => finding.scripts()) ?? [];
  return scripts.length > 0 ? scripts : [factsScript(finding, subject, window)];
}

/** Reads only, and changes nothing. */
function factsScript({ description }: Finding, subject: Subject, window: Window): Script {
  const { kind, command } = lookup(subject, window);
  // The description may hold names; it starts with a word of ours, so that it is never taken for an option or a file.
  const advice = sh`printf '%s\\n' ${description.replaceAll('\0', ' ')}`;
  const show = unlessUnquotable(command);
  return {
    kind,
    title: show ? 'Show the facts and what to do' : 'Show what to do',
    script: show ? `${show}\n${advice}` : advice,
    reversible: true,
  };
}

/** What shows a subject at its provider; null where no client of theirs does. */
function lookup(subject: Subject, window: Window): { kind: Script['kind']; command: () => string | null } {
  switch (subject.provider) {
    case 'aws':
      return { kind: 'aws_cli', command: () => awsLookup(subject, window) };
    case 'azure':
      return { kind: 'azure_cli', command: () => azureLookup(subject) };
    case 'gcp':
      return { kind: 'gcloud', command: () => gcpLookup(subject) };
    default:
      return { kind: 'shell', command: () => null };
  }
}

function awsLookup({ about, nativeId, region, commitmentType }: Subject, window: Window): string | null {
  if (/:savingsplan\//.test(nativeId) || /savings plan/i.test(commitmentType ?? ''))
    return sh`aws savingsplans describe-savings-plans --savings-plan-ids=${shortId(nativeId)}`;
  if (about === 'resource' && nativeId.startsWith('arn:'))
    return sh`aws resourcegroupstaggingapi get-resources --region=${region} --resource-arn-list=${nativeId}`;
  const days = `Start=${window.start},End=${window.end}`;
  if (about === 'commitment') return sh`aws ce get-reservation-utilization --time-period=${days} --granularity=MONTHLY`;
  const filter = JSON.stringify({ Dimensions: { Key: 'REGION', Values: [region] } });
  return sh`aws ce get-cost-and-usage --time-period=${days} --granularity=MONTHLY --metrics=UnblendedCost --group-by=Type=DIMENSION,Key=USAGE_TYPE --filter=${filter}`;
}

function azureLookup({ about, nativeId, subAccount }: Subject): string | null {
  if (about === 'commitment' && /savingsplan/i.test(nativeId))
    return sh`az rest --method=get --url='https://management.azure.com/providers/Microsoft.BillingBenefits/savingsPlans?api-version=2022-11-01'`;
  if (about === 'commitment') return sh`az reservations reservation-order list`;
  if (nativeId.startsWith('/subscriptions/')) return sh`az resource show --ids=${nativeId}`;
  return subAccount === '' ? null : sh`az account show --subscription=${subAccount}`;
}

function gcpLookup({ about, nativeId, subAccount }: Subject): string | null {
  if (subAccount === '') return null;
  if (about === 'commitment') return sh`gcloud compute commitments list --project=${subAccount}`;
  if (about === 'scope') return sh`gcloud billing projects describe ${subAccount}`;
  return sh`gcloud asset search-all-resources --scope=${`projects/${subAccount}`} --query=${`name:${shortId(nativeId)}`}`;
}

function unlessUnquotable<Result>(write: () => Result): Result | null {
  try {
    return write();
  } catch (error) {
    if (error instanceof Unquotable) return null;
    throw error;
  }
}
