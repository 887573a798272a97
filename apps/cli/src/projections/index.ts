import {
  DropGeneration,
  PauseBuild,
  ResumeBuild,
  RollBackReadModel,
  SwapReadModel,
} from './act.commands.js';
import { ListReadModels } from './list.command.js';
import { RebuildReadModel } from './rebuild.command.js';
import { ShowReadModel } from './show.command.js';
import { VerifyReadModel } from './verify.command.js';

export const commands = [
  ...[ListReadModels, ShowReadModel, RebuildReadModel, VerifyReadModel],
  ...[SwapReadModel, RollBackReadModel, DropGeneration, PauseBuild, ResumeBuild],
];
