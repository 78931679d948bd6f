import type { Detector } from '../../detector.ts';
import { ipIdle } from './ip-idle.ts';

export const gcpDetectors: readonly Detector[] = [ipIdle];
