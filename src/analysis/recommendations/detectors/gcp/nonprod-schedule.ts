import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { amountOf } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import { sh, type Script } from '../../script.ts';
import { shortId, type Subject, type Usage, usageOf } from '../../subject.ts';
import { officeHoursSaving, runsAllWeek } from '../always-on.ts';
import { nameBeside } from './full-name.ts';
import { isMachine } from './machine.ts';

/** Cores and memory of a machine; disks, licences and addresses are billed on other SKUs. */
const machine = /\bInstance (Core|Ram)\b/i;

/** Nobody uses a development machine at night and at weekends. Catalogue 13, for Google Cloud. */
export const nonprodSchedule: Detector = {
  type: 'gcp_nonprod_schedule',
  summary: 'Non-production virtual machine that is always on',
  provider: 'gcp',
  about: 'resource',
  endsUsage: true,
  detect(subject, { window }) {
    const environment = nonProductionTag(subject);
    if (environment === null || !isMachine(subject)) return null;
    const cores = coresOf(subject);
    const usage = usageOf(subject, machine).filter((each) => runsAllWeek(each, window));
    if (usage.length === 0 || (cores !== null && !usage.some((each) => isAlwaysOn(each, cores, window.days))))
      return null;
    return {
      title: `Run ${subject.name} during office hours only`,
      description:
        `Its labels say that it is not in production (${environment}), but it runs on weekends as on working ` +
        'days. Ten hours on each working day cost 70% less than the whole week; its disks are billed as before. ' +
        'The Compute Engine service agent needs permission to start and stop the machine.',
      savings: shareOf(usage, officeHoursSaving, window),
      // Where the type does not say how many cores there are, part of each day looks like all of it.
      confidence: cores === null ? 'low' : 'medium',
      method: cores === null ? 'upper_bound' : 'factor',
      evidence: { environment, machine_type: subject.metadata.instanceType ?? null, percent: officeHoursSaving },
      scripts: () => scriptsFor(subject),
    };
  },
};

/** Cores that are billed of machines that share them. */
const shared: Readonly<Record<string, number>> = { 'e2-micro': 0.25, 'e2-small': 0.5, 'e2-medium': 1 };

/** Cores by the machine type, `e2-standard-8`; null where nobody knows it or it does not say. */
function coresOf({ metadata }: Subject): number | null {
  const part = shared[metadata.instanceType ?? ''];
  if (part !== undefined) return part;
  const [, cores] = /^[a-z0-9]+-(?:standard|highmem|highcpu)-(\d+)$/.exec(metadata.instanceType ?? '') ?? [];
  return cores === undefined ? null : Number(cores);
}

/** Whether its cores ran 160 of the 168 hours of a week. */
function isAlwaysOn({ meter, quantity }: Usage, cores: number, days: number): boolean {
  return /Core/i.test(meter) && quantity * 7n >= amountOf(String(160 * cores)) * BigInt(days);
}

function scriptsFor(subject: Subject): Script[] {
  const [, zone, region] = /\/zones\/(([^/]+)-[a-z])\//.exec(subject.nativeId) ?? [];
  if (zone === undefined || region === undefined) return [];
  const name = shortId(subject.nativeId);
  const policy = nameBeside(name, 'office-hours');
  return [
    {
      kind: 'gcloud',
      title: 'Start the machine at 8:00 and stop it at 18:00 UTC on working days',
      script: [
        sh`gcloud compute resource-policies create instance-schedule ${policy} --project=${subject.subAccount} --region=${region}`,
        sh`--vm-start-schedule=${'0 8 * * 1-5'} --vm-stop-schedule=${'0 18 * * 1-5'} --timezone=UTC &&`,
        sh`gcloud compute instances add-resource-policies ${name} --project=${subject.subAccount} --zone=${zone} --resource-policies=${policy}`,
      ].join(' '),
      reversible: true,
    },
  ];
}
