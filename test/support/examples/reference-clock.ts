// Sets this process's clock to the day that all examples are of, so that they are the same whenever they are recorded, and
// months in them are whole. Import it first. Defaults of the database still come from the machine's clock.

/** When the recording starts. */
export const referenceInstant = '2026-11-21T09:00:00.000Z';

const MachineDate = Date;
const aheadMs = MachineDate.now() - MachineDate.parse(referenceInstant);

/** The machine's UTC day at the start, which defaults of the database have. */
export const machineDay = new MachineDate().toISOString().slice(0, 10);

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [target.now() - aheadMs] : args, self),
  get: (target, key) => (key === 'now' ? () => target.now() - aheadMs : Reflect.get(target, key)),
});
