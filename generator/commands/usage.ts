// A command line whose mistakes are all reported together: every missing and unknown option, and every wrong value.

import { type Argument, Command, type ErrorOptions, InvalidArgumentError, type Option } from 'commander';

/** Collects usage mistakes until the command's action would run, instead of exiting at the first as commander does. */
export class StrictCommand extends Command {
  #collecting = false;
  readonly #mistakes: string[] = [];
  #unknown: readonly string[] = [];
  #acts = false;

  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    // A command that only has subcommands fails immediately, since its first mistake hides the rest.
    this.#collecting = this.#acts;
    const parsed = super.parseOptions(argv);
    this.#unknown = parsed.unknown.filter((one) => one.startsWith('--'));
    return parsed;
  }

  override action(run: Parameters<Command['action']>[0]): this {
    this.#acts = true;
    return super.action((...parameters) => {
      this.#collecting = false;
      const mistakes = [...new Set(this.#mistakes)];
      if (mistakes.length > 0) this.error(mistakes.join('\n'));
      return run.apply(this, parameters);
    });
  }

  override error(message: string, options?: ErrorOptions): never {
    if (!this.#collecting) return super.error(message, options);
    // An argument after an unknown option may be its value.
    const follows = options?.code === 'commander.excessArguments' && this.#unknown.length > 0;
    if (follows) return undefined as never;
    this.#mistakes.push(message);
    // Commander reports only the first of them.
    const others = options?.code === 'commander.unknownOption' ? this.#unknown.slice(1) : [];
    this.#mistakes.push(...others.map((flag) => `error: unknown option '${flag}'`));
    return undefined as never;
  }

  /**
   * Commander throws after it has reported the first wrong value. No public method can prevent that, since a parser does not
   * know whether its value comes from the command line or the environment.
   */
  _callParseArg(target: Option | Argument, value: string, previous: unknown, problem: string): unknown {
    try {
      return target.parseArg?.(value, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      this.error(`${problem} ${error.message}`, { code: error.code, exitCode: error.exitCode });
      return previous;
    }
  }
}
