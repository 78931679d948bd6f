/** The start time of the recording of all examples. */
export const referenceInstant = '2026-11-21T09:00:00.000Z';

/** The UTC day at the start by the machine's clock, which database defaults use. */
export const machineDay = new Date().toISOString().slice(0, 10);
