import type { Subject } from '../../subject.ts';
import { isCompute } from './full-name.ts';

/** Whether a subject is a virtual machine that somebody looks after: not one that an instance group or a cluster makes and
 *  replaces. */
export function isMachine({ nativeId, metadata, tags }: Subject): boolean {
  if (!isCompute(nativeId, 'instances') || metadata.scalingGroup) return false;
  return !Object.keys(tags).some((key) => /^goog-(gke|k8s)-/.test(key));
}
