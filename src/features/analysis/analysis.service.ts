import { Injectable } from '@nestjs/common';
import { EngineService } from '../../engine/engine.service.js';
import { badInput } from '../../platform/errors/errors.js';
import type { MoveFormat } from '../../rules/ruleset.js';
import { MOST_ANALYSED } from './analysis.inputs.js';
import type { Analysis } from './analysis.model.js';

/** A position or a line in a request. */
export interface LineRequest {
  readonly ruleset: string;
  readonly options?: unknown;
  readonly setup?: string | null | undefined;
  readonly position?: string | null | undefined;
  readonly faceDown?: string | null | undefined;
  readonly moves?:
    readonly { readonly move: string; readonly reveals?: string | null | undefined }[] | null | undefined;
  readonly text?: string | null | undefined;
  readonly format?: MoveFormat | null | undefined;
}

/** Judges positions and lines without a game. It has no access to stored games or deals. */
@Injectable()
export class AnalysisService {
  constructor(private readonly engine: EngineService) {}

  /** Throws the refusals of the rules, whose field names the move by its index, INVALID_GAME_TEXT and BAD_INPUT. */
  analyse({ ruleset, options, setup, position, faceDown, moves, text, format }: LineRequest): Analysis {
    if (text != null && moves != null) {
      throw badInput('text', 'moves and text must not be sent together. Send only one of them.');
    }
    return this.engine.analyse({
      ruleset,
      options: options ?? {},
      setup: setup ?? null,
      position: position ?? null,
      faceDown: faceDown ?? null,
      moves: (moves ?? []).map(({ move, reveals }) => ({ move, reveals: reveals ?? null })),
      text: text == null ? null : { text, format: format ?? null, most: MOST_ANALYSED },
    });
  }
}
