import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { Server } from './about.model.js';
import { AboutService } from './about.service.js';

@Resolver()
export class AboutResolver {
  constructor(private readonly about: AboutService) {}

  @Public()
  @Query(() => Server, { description: 'The server and who runs it.' })
  server(): Server {
    return this.about.server();
  }
}
