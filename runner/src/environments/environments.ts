import { join } from 'node:path';
import type { EnvironmentKind, ExecutionEnvironment, ProvidedEnvironment } from '@signalbox/contract';
import type { Cache } from '../cache/cache-cleaner.ts';
import { PeriodicCheck } from '../process/periodic-check.ts';
import type { OwnedWorkspace } from '../workspace/workspace.ts';
import { type ContainerSetup, makeContainer } from './container/container-environment.ts';
import { Containers } from './container/runner-containers.ts';
import type { EnvironmentKindOf, EnvironmentRequest, ReadyStep } from './environment.ts';
import { makeSystem } from './system.ts';
import { makeVirtual } from './virtual/virtual.ts';

type Kinds = { readonly [K in EnvironmentKind]: EnvironmentKindOf<Extract<ExecutionEnvironment, { kind: K }>> };

/** The kinds of execution environments of a runner. */
export class Environments {
  readonly #kinds: Kinds;
  readonly containers: Containers;
  #provided: readonly ProvidedEnvironment[] = [];
  readonly #checks = new PeriodicCheck(() => this.#detect());

  constructor(setup: ContainerSetup) {
    const container = makeContainer(setup);
    const virtual = makeVirtual(join(setup.data, 'environments'), setup.base);
    this.#kinds = { system: makeSystem(), virtual, container };
    this.containers = new Containers(container.label, container.engine, container.images);
  }

  get caches(): readonly Cache[] {
    return Object.values(this.#kinds).flatMap(({ cache }) => cache ?? []);
  }

  /** The kinds that it can provide. None before the first call of `detect` has ended. */
  get provided(): readonly ProvidedEnvironment[] {
    return this.#provided;
  }

  /** The program that starts containers; empty if there is none. */
  get engine(): string {
    return this.#provided.find(({ kind }) => kind === 'container')?.program ?? '';
  }

  /** @throws PreparationError */
  check(request: EnvironmentRequest): void {
    this.#of(request).check(request);
  }

  /** @throws PreparationError */
  prepare(request: EnvironmentRequest, workspace: OwnedWorkspace): Promise<ReadyStep> {
    return this.#of(request).prepare(request, workspace);
  }

  /** Finds what the runner can provide now and then every minute until `stop`. */
  watch(): Promise<void> {
    return this.#checks.start();
  }

  stop(): void {
    this.#checks.stop();
  }

  #of({ environment: { kind } }: EnvironmentRequest): EnvironmentKindOf<ExecutionEnvironment> {
    // The compiler does not see that the kind of a request is that of its entry.
    return this.#kinds[kind] as unknown as EnvironmentKindOf<ExecutionEnvironment>;
  }

  async #detect(): Promise<void> {
    const found: ProvidedEnvironment[] = [];
    for (const [kind, one] of Object.entries(this.#kinds)) {
      const provided = await one.detect().catch(() => undefined);
      if (provided !== undefined) found.push({ kind, ...provided });
    }
    this.#provided = found;
  }
}
