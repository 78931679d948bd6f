import type { Detector } from '../../detector.ts';
import { ebsUnattached } from './ebs-unattached.ts';

export const awsDetectors: readonly Detector[] = [ebsUnattached];
