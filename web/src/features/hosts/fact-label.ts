import type { FactName } from '@signalbox/contract';

/** Keys of the labels of facts in the catalogues. */
export const FACT_LABELS: Readonly<Record<FactName, string>> = {
  address: 'fact.address',
  name: 'fact.name',
  domain: 'fact.domain',
  os_family: 'fact.osFamily',
  distribution: 'fact.distribution',
  distribution_version: 'fact.distributionVersion',
  edition: 'fact.edition',
  kernel: 'fact.kernel',
  architecture: 'fact.architecture',
  model: 'fact.model',
  virtualization: 'fact.virtualization',
  processors: 'fact.processors',
  memory: 'fact.memory',
  swap: 'fact.swap',
  python_version: 'fact.pythonVersion',
  powershell_version: 'fact.powershellVersion',
  service_manager: 'fact.serviceManager',
  package_manager: 'fact.packageManager',
  time_zone: 'fact.timeZone',
};
