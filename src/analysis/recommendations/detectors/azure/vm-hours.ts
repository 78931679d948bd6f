import { type Subject, type Usage, onDemandOf, usageOf } from '../../subject.ts';
import { armType } from './arm.ts';

const vm = 'microsoft.compute/virtualmachines';
/** Licences are billed by the hour too, as meters of their own: `4 vCPU VM License`, `Reservation-Windows Svr (4 Core)`. */
const licence = /licen[cs]e|windows svr/i;

/** Realisable hours of a virtual machine, licences and all; traffic and the like, which are billed to machines too, are left
 *  out. Empty for what is no virtual machine. */
export function machineHoursOf(subject: Subject): Usage[] {
  return armType(subject.nativeId) === vm ? usageOf(subject).filter(({ unit }) => /hour/i.test(unit)) : [];
}

/** On-demand hours of a virtual machine by its size, without licences. */
export function sizeHoursOf(subject: Subject): Usage[] {
  if (armType(subject.nativeId) !== vm) return [];
  return onDemandOf(subject).filter((usage) => /hour/i.test(usage.unit) && !isLicence(usage));
}

/** Whether a usage is that of a licence: service `Virtual Machines Licenses`, or a meter that says so. */
export function isLicence({ service, meter, description }: Usage): boolean {
  return licence.test(service) || licence.test(meter) || licence.test(description);
}
