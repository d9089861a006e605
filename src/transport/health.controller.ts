import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PrismaService } from '../platform/database/prisma.service.js';
import { DomainError } from '../platform/errors.js';
import { Health } from '../platform/health.js';

/** Whether the process runs. */
class Alive {
  @ApiProperty({ enum: ['ok'] })
  readonly status: 'ok';
}

/** Whether the server can do its work. */
class Readiness {
  @ApiProperty({
    enum: ['ok', 'degraded'],
    description: 'degraded: games can be read, but something is wrong, as a full disk.',
  })
  readonly status: 'ok' | 'degraded';

  @ApiProperty({ type: [String], description: 'What is wrong, in words; empty when all is well.' })
  readonly reasons: readonly string[];
}

@ApiTags('health')
@Controller()
export class HealthController {
  constructor(
    private readonly prisma: PrismaService,
    private readonly health: Health,
  ) {}

  @Get('livez')
  @ApiOperation({ summary: 'Does the process run?' })
  @ApiOkResponse({ type: Alive })
  live(): Alive {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ApiOperation({
    summary:
      'Can it answer, and store what is done? 503 when the database does not answer or the server ends.',
  })
  @ApiOkResponse({ type: Readiness })
  async ready(): Promise<Readiness> {
    const { end } = this.health;
    if (end !== null) throw new DomainError('UNAVAILABLE', end, { retryAfter: 5 });
    if (!(await this.prisma.ready())) {
      throw new DomainError('UNAVAILABLE', 'The database does not answer.', { retryAfter: 5 });
    }
    const reasons = await this.health.troubles();
    return { status: reasons.length === 0 ? 'ok' : 'degraded', reasons };
  }
}
