import type { Detector } from '../detector.ts';
import { anyDetectors } from './any/all.ts';
import { awsDetectors } from './aws/all.ts';
import { azureDetectors } from './azure/all.ts';
import { gcpDetectors } from './gcp/all.ts';

/** Every detector. */
export const detectors: readonly Detector[] = [...awsDetectors, ...azureDetectors, ...gcpDetectors, ...anyDetectors];
