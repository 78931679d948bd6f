// Sets the clock of this process to the fixed date of all examples, so that recordings are reproducible and contain
// whole months. Import it first. Database defaults still use the clock of the machine.
import { referenceInstant } from './reference-date.ts';

const MachineDate = Date;
const aheadMs = MachineDate.now() - MachineDate.parse(referenceInstant);

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [target.now() - aheadMs] : args, self),
  get: (target, key) => (key === 'now' ? () => target.now() - aheadMs : Reflect.get(target, key)),
});
