import { onDemandOf, type Subject, type Usage } from '../../subject.ts';

/** On-demand usage of Fargate by tasks of ECS. Pods of EKS are billed under the same meters, but run neither on arm64 nor on
 *  spare capacity (EKS user guide, Fargate considerations). */
export function fargateOf(subject: Subject, meter: RegExp): Usage[] {
  if (/:eks:/.test(subject.nativeId)) return [];
  return onDemandOf(subject, meter).filter(({ service }) => !/Kubernetes|EKS/i.test(service));
}
