import type { Amount } from '../../../../kit/money.ts';
import { detectorsOf, reversible, type Context } from '../detector.ts';
import { amountOf, numberOf } from '../figures.ts';
import { nonProductionTag, officeHoursSaving, runsAllWeek } from '../nonproduction.ts';
import type { Market } from '../prices.ts';
import { repriced } from '../repriced.ts';
import { hcl, sh, type Script } from '../script.ts';
import { isOlder, shareOf, unitsOf, usageOf, wholeOf, type Subject, type Usage } from '../subject.ts';
import { armType } from './arm.ts';

/** Saving of a move from a previous generation, in percent, rounded down: D2ads v5 costs 0.103 instead of 0.114 USD per hour
 *  for D2 v2 (Azure's price list, Linux, US East; other sizes are in proportion, E sizes save more). */
const previousGenSaving = 9;

export const azureCompute = detectorsOf('azure', [
  {
    type: 'azure_vm_stopped_allocated',
    summary: 'Virtual machine that is stopped but not deallocated',
    endsUsage: true,
    title: ({ name }) => `Deallocate the stopped VM ${name}`,
    description:
      'The VM is stopped but still allocated, so its hours are billed as if it were running. Deallocating ' +
      'it ends this charge and keeps its disks; a dynamic public IP address may change.',
    confidence: 'high',
    method: 'observed',
    find(subject, { window }) {
      const { state, stateSince } = subject.metadata;
      if (state !== 'stopped' || (stateSince !== undefined && !isOlder(stateSince, 7, window))) return null;
      return {
        savings: wholeOf(machineHoursOf(subject), window),
        evidence: { state, state_since: stateSince ?? null },
      };
    },
    script: reversible('Deallocate the VM', ({ nativeId }) => sh`az vm deallocate --ids=${nativeId}`),
  },
  {
    // Microsoft is retiring older sizes. All of them have a temporary disk, and Azure does not resize those to a size without
    // one, such as D4s v5.
    type: 'azure_vm_previous_gen',
    summary: 'Virtual machine of a previous generation',
    title: ({ name }, { size, target }) =>
      `Move ${name} from ${size} to ${String(target).replace('Standard_', '').replace('_', ' ')}`,
    description:
      'Its size is of a previous generation. A current size with an AMD processor has as many cores and more ' +
      'memory, and costs less. Moving restarts the VM and clears its temporary disk. A new VM without ' +
      'a temporary disk costs even less.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const usage = sizeHoursOf(subject).find((each) => currentSizeOf(each.meter) !== null && !isWindows(each));
      const current = usage && currentSizeOf(usage.meter);
      if (!usage || !current) return null;
      const priceOf = () => priceOfSize(current, subject, context);
      const { savings, method } = repriced([usage], context, priceOf, previousGenSaving);
      const target = `Standard_${current.letter}${current.cores}ads_v5`;
      const percent = method === 'factor' ? previousGenSaving : null;
      return {
        savings,
        method,
        evidence: { size: current.replaces, target, percent },
        scripts: () => [resizing(subject, target)],
      };
    },
  },
  {
    type: 'azure_nonprod_schedule',
    summary: 'Non-production virtual machine that is always on',
    endsUsage: true,
    title: ({ name }) => `Run ${name} during office hours only`,
    description: (_, { environment }) =>
      `Its tags mark it as non-production (${environment}), but it runs day and night, including ` +
      'weekends. Ten hours on each working day cost 70% less; its disks are billed as before.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const environment = nonProductionTag(subject);
      // Of the 168 hours of a week.
      const enough = amountOf(String(160 * window.days));
      const usage = machineHoursOf(subject).filter((each) => runsAllWeek(each, window) && each.quantity * 7n >= enough);
      if (environment === null) return null;
      return {
        savings: shareOf(usage, officeHoursSaving, window),
        evidence: { environment, hours: numberOf(unitsOf(usage)), percent: officeHoursSaving },
      };
    },
    script: reversible(
      'Deallocate the VM every evening at 19:00 UTC; start it manually or on your own schedule',
      ({ nativeId }) => sh`az vm auto-shutdown --ids=${nativeId} --time=1900`,
    ),
    terraform: reversible(
      'The same as a Terraform resource',
      ({ nativeId, region }) => hcl`
resource "azurerm_dev_test_global_vm_shutdown_schedule" "office_hours" {
  virtual_machine_id    = ${nativeId}
  location              = ${region}
  enabled               = true
  daily_recurrence_time = "1900"
  timezone              = "UTC"

  notification_settings {
    enabled = false
  }
}`,
    ),
  },
]);

/** Returns realizable hours of a virtual machine, including licenses. Excludes other charges of machines, such as traffic.
 *  Empty for anything else. */
export function machineHoursOf(subject: Subject): Usage[] {
  if (armType(subject.nativeId) !== 'microsoft.compute/virtualmachines') return [];
  return usageOf(subject).filter(({ unit }) => /hour/i.test(unit));
}

/** Returns on-demand hours of a virtual machine by size, without licenses. */
export function sizeHoursOf(subject: Subject): Usage[] {
  return machineHoursOf(subject).filter((usage) => usage.kind === 'on_demand' && !isLicense(usage));
}

/** Returns whether usage is that of a license: service `Virtual Machines Licenses`, or a meter such as `4 vCPU VM License`
 *  or `Reservation-Windows Svr (4 Core)`. */
export function isLicense({ service, meter, description }: Usage): boolean {
  return [service, meter, description].some((text) => /licen[cs]e|windows svr/i.test(text));
}

/** Returns whether it is Windows: bills meter these machines under the names of Linux ones, but current sizes cost more for
 *  them. */
function isWindows({ meter, description }: Usage): boolean {
  return /\bwindows\b/i.test(`${meter} ${description}`);
}

/** A current size that replaces an older one. */
interface CurrentSize {
  /** The older size: `D3 v2`. */
  readonly replaces: string;
  /** Series and cores: `D` and 4 for `D4ads v5`. */
  readonly letter: 'D' | 'E';
  readonly cores: number;
}

/** Dv2 sizes by number. Those from 11 up have the memory of an E size; D1 v2 has no current size that small. */
const currentSizes: Readonly<Record<string, Pick<CurrentSize, 'letter' | 'cores'>>> = {
  2: { letter: 'D', cores: 2 },
  3: { letter: 'D', cores: 4 },
  4: { letter: 'D', cores: 8 },
  5: { letter: 'D', cores: 16 },
  11: { letter: 'E', cores: 2 },
  12: { letter: 'E', cores: 4 },
  13: { letter: 'E', cores: 8 },
  14: { letter: 'E', cores: 16 },
};

/** Returns the replacement of a previous-generation size, according to Microsoft's migration guide for the series retired in
 *  2028. Null for other sizes, and for those whose successor costs more (Av2) or the same (Dv3, Ev3).
 *  @param meter Azure's meter of the hours, `D2 v2/DS2 v2`, or its description, `... Series - D2 v2/DS2 v2 - US East` */
export function currentSizeOf(meter: string): CurrentSize | null {
  const [replaces, size = ''] = /\bDS?(\d+) v2\b/.exec(meter) ?? [];
  const current = currentSizes[size];
  return replaces === undefined || current === undefined ? null : { replaces, ...current };
}

/** Returns the price of a size. A core costs the same in all sizes of a series, so any observed price works, most common
 *  size first. */
function priceOfSize({ letter, cores }: CurrentSize, market: Market, { prices }: Context): Amount | null {
  for (const size of [4, 2, 8, 16, 32, 48, 64]) {
    const price = prices.priceOf(market, `${letter}${size}ads v5`);
    if (price !== null) return (price * BigInt(cores)) / BigInt(size);
  }
  return null;
}

function resizing({ nativeId }: Subject, size: string): Script {
  return {
    kind: 'azure_cli',
    title: 'Stop the VM, change its size and start it again',
    script: [
      sh`az vm deallocate --ids=${nativeId} &&`,
      sh`az vm resize --ids=${nativeId} --size=${size} &&`,
      sh`az vm start --ids=${nativeId}`,
    ].join('\n'),
    reversible: true,
  };
}
