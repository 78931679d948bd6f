import type { Amount } from '../../../../kit/money.ts';
import { detectorsOf, reversible, type Context } from '../detector.ts';
import { amountOf, per } from '../figures.ts';
import { nonProductionTag, officeHoursSaving, runsAllWeek } from '../nonproduction.ts';
import { repriced } from '../repriced.ts';
import { sh } from '../script.ts';
import { hasMeter, onDemandOf, quantityOf, shareOf, usageOf, type Subject, type Usage } from '../subject.ts';
import { isCompute, nameBeside, placeOption } from './names.ts';

/** Saving of a move from a previous generation, in percent: the figure of the Cloud Intelligence Dashboards. At list prices,
 *  N1's sustained use discount leaves little more. */
const previousGenSaving = 5;

export const gcpCompute = detectorsOf('gcp', [
  {
    // E2 supports neither GPUs nor Local SSDs.
    type: 'gcp_n1_upgrade',
    summary: 'First-generation virtual machine',
    title: ({ name }) => `Move ${name} from N1 to E2`,
    description:
      'This VM is of the first generation. An E2 VM has as many cores and a little more memory, and ' +
      'costs less. Changing the machine type restarts the VM. If it uses its cores fully all the time, measure ' +
      'first.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const usage = onDemandOf(subject, /^N1 Predefined Instance (Core|Ram)\b/i);
      const target = targetOf(subject);
      if (!isMachine(subject) || target === null) return null;
      if (hasMeter(subject, /\bGPU\b|SSD backed Local Storage/i)) return null;
      const priceOf = (each: Usage) => priceOnE2(each, subject, context);
      const { savings, method } = repriced(usage, context, priceOf, previousGenSaving);
      return {
        savings,
        method,
        evidence: {
          machine_type: subject.metadata.instanceType ?? null,
          target: target || 'e2',
          percent: method === 'factor' ? previousGenSaving : null,
        },
      };
    },
    script: reversible('Stop the VM, change its machine type and start it again', (subject, name) => {
      const place = placeOption(subject.nativeId);
      const target = targetOf(subject);
      if (!target || place === null) return null;
      const of = sh`${name} --project=${subject.subAccount}`;
      return [
        `gcloud compute instances stop ${of} ${place} &&`,
        `gcloud compute instances set-machine-type ${of} ${sh`--machine-type=${target}`} ${place} &&`,
        `gcloud compute instances start ${of} ${place}`,
      ].join('\n');
    }),
  },
  {
    type: 'gcp_nonprod_schedule',
    summary: 'Non-production virtual machine that is always on',
    endsUsage: true,
    title: ({ name }) => `Run ${name} during office hours only`,
    description: (_, { environment }) =>
      `Its labels mark it as non-production (${environment}), but it runs on weekends as on working ` +
      'days. Ten hours on each working day cost 70% less than the whole week; its disks are billed as before. ' +
      'The Compute Engine service agent needs permission to start and stop the VM.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const environment = nonProductionTag(subject);
      const cores = coresOf(subject);
      // Disks, licenses and addresses have other SKUs.
      const usage = usageOf(subject, /\bInstance (Core|Ram)\b/i).filter((each) => runsAllWeek(each, window));
      if (environment === null || !isMachine(subject)) return null;
      if (cores !== null && !usage.some((each) => isAlwaysOn(each, cores, window.days))) return null;
      return {
        savings: shareOf(usage, officeHoursSaving, window),
        // If the type does not contain the number of cores, part-time use cannot be distinguished from all-day use.
        ...(cores === null && { confidence: 'low', method: 'upper_bound' }),
        evidence: { environment, machine_type: subject.metadata.instanceType ?? null, percent: officeHoursSaving },
      };
    },
    script: reversible(
      'Start the VM at 8:00 and stop it at 18:00 UTC on working days',
      ({ nativeId, subAccount: project }, name) => {
        const [, zone, region] = /\/zones\/(([^/]+)-[a-z])\//.exec(nativeId) ?? [];
        if (zone === undefined || region === undefined) return null;
        const policy = nameBeside(name, 'office-hours');
        return [
          sh`gcloud compute resource-policies create instance-schedule ${policy} --project=${project} --region=${region}`,
          sh`--vm-start-schedule=${'0 8 * * 1-5'} --vm-stop-schedule=${'0 18 * * 1-5'} --timezone=UTC &&`,
          sh`gcloud compute instances add-resource-policies ${name} --project=${project} --zone=${zone} --resource-policies=${policy}`,
        ].join(' ');
      },
    ),
  },
]);

/** Returns whether a subject is a standalone virtual machine: not one that an instance group or a cluster creates and
 *  replaces. */
function isMachine({ nativeId, metadata, tags }: Subject): boolean {
  if (!isCompute(nativeId, 'instances') || metadata.scalingGroup) return false;
  return !Object.keys(tags).some((key) => /^goog-(gke|k8s)-/.test(key));
}

/** Returns the E2 type for an N1 type; empty if the type is unknown, null if there is none of that size. */
function targetOf({ metadata }: Subject): string | null {
  if (metadata.instanceType === undefined) return '';
  const [, family, cores] = /^n1-(standard|highmem|highcpu)-(\d+)$/.exec(metadata.instanceType) ?? [];
  if (family === undefined || cores === undefined) return null;
  const largest = family === 'highmem' ? 16 : 32;
  return Number(cores) < 2 || Number(cores) > largest ? null : `e2-${family}-${cores}`;
}

/** Returns the E2 price for a unit of N1: `E2 Instance Core running in EMEA` for `N1 Predefined Instance Core running in
 *  EMEA`. */
function priceOnE2(usage: Usage, subject: Subject, { prices }: Context): Amount | null {
  const price = prices.priceOf(subject, usage.meter.replace(/^N1 Predefined/i, 'E2'));
  if (price === null || !/Ram/i.test(usage.meter)) return price;
  const [more, than] = memoryRatioOf(subject);
  return (price * more) / than;
}

/** Returns the ratio of memory per core in E2 and N1: 4 GiB instead of 3.75, 8 instead of 6.5, or 1 instead of 0.9. If the
 *  type is unknown, it is derived from the usage of memory and cores. */
function memoryRatioOf(subject: Subject): readonly [more: bigint, than: bigint] {
  const [, named] = /^n1-(standard|highmem|highcpu)-/.exec(subject.metadata.instanceType ?? '') ?? [];
  const perCore = per(quantityOf(subject, /^N1 .*\bRam\b/i), quantityOf(subject, /^N1 .*\bCore\b/i));
  const measured =
    perCore > amountOf('5') ? 'highmem' : perCore > 0n && perCore < amountOf('2') ? 'highcpu' : 'standard';
  const kind = named ?? measured;
  if (kind === 'highmem') return [80n, 65n];
  return kind === 'highcpu' ? [10n, 9n] : [16n, 15n];
}

/** Billed cores of shared-core types. */
const shared: Readonly<Record<string, number>> = { 'e2-micro': 0.25, 'e2-small': 0.5, 'e2-medium': 1 };

/** Returns the cores of a machine type such as `e2-standard-8`; null if it is unknown or does not contain them. */
function coresOf({ metadata }: Subject): number | null {
  const part = shared[metadata.instanceType ?? ''];
  if (part !== undefined) return part;
  const [, cores] = /^[a-z0-9]+-(?:standard|highmem|highcpu)-(\d+)$/.exec(metadata.instanceType ?? '') ?? [];
  return cores === undefined ? null : Number(cores);
}

/** Returns whether its cores ran 160 of the 168 hours of a week. */
function isAlwaysOn({ meter, quantity }: Usage, cores: number, days: number): boolean {
  return /Core/i.test(meter) && quantity * 7n >= amountOf(String(160 * cores)) * BigInt(days);
}
