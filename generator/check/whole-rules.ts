// Rules about the project as a whole: the principal, uploads, and files that must exist.
import { diagnostic } from '../diagnostics/diagnostic.js';
import { kindOf } from '../model/kinds/kinds.js';
import type { Project } from './project.js';
import { eachField, type Rule, type RuleTable } from './rule.js';
import { at, isPruned, type Subject } from './subject.js';

const conventionsAreThere: Rule = function* (project) {
  if (project.conventions === null) yield diagnostic('E0516', { path: 'spec/conventions.yaml', start: 0, end: 0 }, {});
};

const onePrincipal: Rule = function* (project) {
  const [first, ...others] = project.subjects.filter(({ raw }) => raw.principal);
  for (const other of others) {
    yield diagnostic('E0502', at(other, ['principal'], 'key'), { other: first?.raw.resource ?? '' });
  }
  const place = project.conventions?.locate([]) ?? { path: 'spec/conventions.yaml', start: 0, end: 0 };
  if (first === undefined && !mayDeclare(project, 'principal')) yield diagnostic('E0501', place, {});
};

const oneUpload: Rule = function* (project) {
  const [first, ...others] = project.subjects.filter(({ raw }) => raw.upload);
  for (const other of others) {
    yield diagnostic('E0503', at(other, ['upload'], 'key'), { other: first?.raw.resource ?? '' });
  }
};

const imagesHaveUploads = eachField(function* ({ subject, field, pointer }, project) {
  if (kindOf(field).refers !== 'upload') return;
  if (project.uploads !== null || mayDeclare(project, 'upload')) return;
  yield diagnostic('E0504', at(subject, pointer, 'key'), { kind: field.kind });
});

/** A file that cannot be read may be the one that declares it. */
function mayDeclare(project: Project, key: 'principal' | 'upload'): boolean {
  return project.hazy.size > 0 || project.subjects.some((subject: Subject) => isPruned(subject, key));
}

const conventionsAreUsed: Rule = function* (project) {
  if (project.conventions === null || project.hazy.size > 0) return;
  const used = new Set(project.subjects.flatMap(({ raw }) => raw.extends));
  for (const convention of project.spec.conventions.filter((name) => !used.has(name))) {
    yield diagnostic('W0601', project.conventions.locate(['conventions', convention], 'key'), { convention });
  }
};

export const WHOLE_RULES: RuleTable = {
  'conventions.yaml exists': conventionsAreThere,
  'one resource is the principal': onePrincipal,
  'at most one resource stores uploads': oneUpload,
  'images and files need a resource that stores uploads': imagesHaveUploads,
  'a convention is extended by some resource': conventionsAreUsed,
};
