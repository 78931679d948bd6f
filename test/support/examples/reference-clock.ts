// Sets the clock of this process to the fixed date of all examples, so that recordings are reproducible and contain
// whole months. Import it first. Database defaults still use the clock of the machine.

/** The start time of the recording. */
export const referenceInstant = '2026-11-21T09:00:00.000Z';

const MachineDate = Date;
const aheadMs = MachineDate.now() - MachineDate.parse(referenceInstant);

/** The machine's UTC day at the start, used by database defaults. */
export const machineDay = new MachineDate().toISOString().slice(0, 10);

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [target.now() - aheadMs] : args, self),
  get: (target, key) => (key === 'now' ? () => target.now() - aheadMs : Reflect.get(target, key)),
});
