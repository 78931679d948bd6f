import type { Detector } from '../../detector.ts';
import { publicIpOrphan } from './public-ip-orphan.ts';

export const azureDetectors: readonly Detector[] = [publicIpOrphan];
