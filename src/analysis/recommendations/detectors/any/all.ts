import type { Detector } from '../../detector.ts';
import { reservationUnused } from './reservation-unused.ts';
import { savingsPlanUnused } from './savings-plan-unused.ts';

/** The detectors that look at every provider alike. */
export const anyDetectors: readonly Detector[] = [reservationUnused, savingsPlanUnused];
