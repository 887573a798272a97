/**
 * What code can refuse with, found by following it from where a request enters: every function that is
 * referred to, every handler of a command or query that is made, every implementation of an interface
 * that is called. What is found may be more than can happen, and is never less (decision 0141).
 *
 * Decisions of the domain are followed for the commands alone that are made on the way: a case, or an
 * early return, for another command is passed over.
 */
import path from 'node:path';
import ts from 'typescript';

const REASON = /^[A-Z][A-Z_]+$/;
const REJECTION = /^[a-z]+(?:_[a-z]+)*\/[a-z]+(?:_[a-z]+)*$/;
/** Commands of the domain are kinds in PascalCase; other kinds are not. */
const COMMAND_KIND = /^[A-Z][a-z]\w*$/;
const STATUS = /^[A-Z][A-Z_]+$/;
/** The table of rejections, in its two files: code that refers to it does not refuse with all of them. */
const TABLE = ['rejections.ts', 'subscription-rejections.ts'].map(
  (name) => `libs/nest/src/commands/${name}`,
);
/** Of guards, interceptors, and what `FurtherChecks` calls of its heirs. */
const ENTRANCES = ['canActivate', 'intercept', 'check'];
const EXECUTOR = 'CommandExecution';

export class Sources {
  /** @param tsconfig has the sources of the program, from the root of the project. */
  constructor(root, tsconfig) {
    this.root = root;
    const file = path.join(root, tsconfig);
    const { config } = ts.readConfigFile(file, ts.sys.readFile);
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(file));
    this.program = ts.createProgram(parsed.fileNames, parsed.options);
    this.checker = this.program.getTypeChecker();
    this.handlers = new Map();
    this.implementations = new Map();
    this.controllers = [];
    for (const source of this.program.getSourceFiles()) {
      if (this.isOwn(source)) ts.forEachChild(source, (node) => this.#index(node));
    }
  }

  isOwn(source) {
    return !source.isDeclarationFile && !source.fileName.includes('/node_modules/');
  }

  /** The codes that the table of rejections has a row for. */
  get rejections() {
    const codes = new Set();
    const visit = (node) => {
      const name = ts.isPropertyAssignment(node) && textOf(node.name);
      if (name) codes.add(name);
      ts.forEachChild(node, visit);
    };
    for (const name of TABLE) visit(this.file(name));
    return codes;
  }

  nameOf(source) {
    return path.relative(this.root, source.fileName);
  }

  file(name) {
    return this.program.getSourceFile(path.join(this.root, name));
  }

  files(folder) {
    const isIn = (source) => path.dirname(this.nameOf(source)) === folder;
    return this.program.getSourceFiles().filter(isIn);
  }

  /** What a name stands for, wherever it was imported from. */
  symbolAt(node) {
    const isShorthand = ts.isShorthandPropertyAssignment(node.parent);
    const found = isShorthand
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    if (found === undefined) return undefined;
    return found.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found;
  }

  #index(node) {
    if (ts.isFunctionDeclaration(node)) this.#implement(interfaceIn(node.type), node);
    if (!ts.isClassDeclaration(node)) return;
    for (const clause of node.heritageClauses ?? []) {
      for (const { expression } of clause.types) this.#implement(expression, node);
    }
    for (const { name, args } of decoratorsOf(node)) {
      if (name === 'Controller') this.controllers.push(node);
      if (name === 'CommandHandler' || name === 'QueryHandler') {
        this.handlers.set(this.symbolAt(args[0]), node);
      }
    }
    if (node.name?.text === EXECUTOR) this.executor = memberOf(node, 'run');
  }

  #implement(name, node) {
    const symbol = name && this.symbolAt(name);
    if (symbol === undefined) return;
    this.implementations.set(symbol, [...(this.implementations.get(symbol) ?? []), node]);
  }
}

/** The interface that a function returns, at once or in time. */
function interfaceIn(type) {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined;
  const isPromise = type.typeName.getText() === 'Promise';
  return isPromise ? interfaceIn(type.typeArguments?.[0]) : type.typeName;
}

export function decoratorsOf(node) {
  return (ts.getDecorators(node) ?? [])
    .map(({ expression }) => expression)
    .filter(ts.isCallExpression)
    .map((call) => ({ name: call.expression.getText(), args: call.arguments }));
}

/** One walk, from the nodes that it is given to all that they reach. */
export class Walk {
  /** Codes of rejections, as the table has them. */
  rejections = new Set();
  /** `[status, reason, http]` of errors that are made on the spot, as JSON: they are compared. */
  errors = new Set();
  /** What may be missing: `notFound('plan', ...)`, `{ what: 'subscription' }`. */
  missing = new Set();
  /** Names of functions that are called, and of fields that are given. */
  reached = new Set();
  #sources;
  #seen = new Set();
  #commands = new Set();
  /** What is followed once one of these commands is made. */
  #waiting = [];

  constructor(sources) {
    this.#sources = sources;
  }

  follow(node) {
    if (node === undefined || this.#seen.has(node)) return;
    this.#seen.add(node);
    if (TABLE.includes(this.#sources.nameOf(node.getSourceFile()))) return;
    this.reached.add(node.name?.getText());
    const kinds = ts.isFunctionLike(node) ? this.#kindsDecided(node) : undefined;
    if (kinds === undefined) this.#visitChildren(node);
    else this.#when(kinds, () => this.#visitChildren(node));
  }

  /** Follows guards and interceptors, which are named by their classes. */
  enter(names) {
    for (const name of names) {
      for (const declaration of this.#sources.symbolAt(name)?.declarations ?? []) {
        if (!ts.isClassDeclaration(declaration)) continue;
        for (const entrance of ENTRANCES) this.follow(memberOf(declaration, entrance));
      }
    }
  }

  /** Takes out what cannot be: a code, a reason or the name of what is missing. @returns whether it was there. */
  exclude(what) {
    const errors = [...this.errors].filter((error) => JSON.parse(error)[1] === what);
    for (const error of errors) this.errors.delete(error);
    const isOther = this.rejections.delete(what);
    return this.missing.delete(what) || isOther || errors.length > 0;
  }

  /** Reads what a file itself makes, and follows nothing. */
  read(file) {
    const visit = (node) => {
      if (ts.isObjectLiteralExpression(node)) this.#readObject(node);
      if (ts.isCallExpression(node)) this.#readCall(node);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  /** A function of a `command` is reached by the commands of its type. */
  #kindsDecided({ parameters }) {
    const command = parameters.find(({ name }) => name.getText() === 'command');
    if (command?.type === undefined) return undefined;
    return this.#kindsOf(command);
  }

  #kindsOf(node) {
    const { checker } = this.#sources;
    const type = checker.getTypeAtLocation(node);
    const kinds = (type.isUnion() ? type.types : [type]).map((each) => {
      const kind = each.getProperty('kind');
      const of = kind && checker.getTypeOfSymbol(kind);
      return of?.isStringLiteral() ? [of.value] : of?.isUnion() ? of.types.map((t) => t.value) : [];
    });
    const found = kinds.flat().filter((kind) => COMMAND_KIND.test(String(kind)));
    return found.length === 0 ? undefined : found;
  }

  #when(kinds, act) {
    if (kinds.some((kind) => this.#commands.has(kind))) act();
    else this.#waiting.push({ kinds, act });
  }

  #make(kind) {
    if (this.#commands.has(kind)) return;
    this.#commands.add(kind);
    // Whatever stands between, a command of the domain is run by the one executor.
    this.follow(this.#sources.executor);
    const ready = this.#waiting.filter(({ kinds }) => kinds.includes(kind));
    this.#waiting = this.#waiting.filter((each) => !ready.includes(each));
    for (const { act } of ready) act();
  }

  #visitChildren(node) {
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  #visit(node) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isDecorator(node) && !ts.isParameter(node.parent)) return;
    if (ts.isBlock(node)) return this.#visitStatements(node.statements);
    if (ts.isCaseBlock(node)) return this.#visitClauses(node.clauses);
    if (ts.isStringLiteralLike(node)) this.#readText(node);
    if (ts.isObjectLiteralExpression(node)) this.#readObject(node);
    if (ts.isCallExpression(node)) this.#readCall(node);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return this.#refer(node);
    return this.#visitChildren(node);
  }

  /** Behind `if (command.kind === 'X') return`, the others are at work. */
  #visitStatements(statements) {
    for (const [index, statement] of statements.entries()) {
      const kind = ts.isIfStatement(statement) ? kindAsked(statement.expression) : undefined;
      if (kind === undefined) {
        this.#visit(statement);
        continue;
      }
      this.#when([kind.value], () => this.#visit(statement.thenStatement));
      const kinds = this.#kindsOf(kind.command)?.filter((each) => each !== kind.value);
      if (kinds === undefined || statement.elseStatement !== undefined) continue;
      const rest = statements.slice(index + 1);
      this.#when(kinds, () => this.#visitStatements(rest));
      return;
    }
  }

  #visitClauses(clauses) {
    let labels = [];
    for (const clause of clauses) {
      const isCase = ts.isCaseClause(clause);
      labels.push(isCase && ts.isStringLiteral(clause.expression) ? clause.expression.text : '');
      if (clause.statements.length === 0) continue;
      const visit = () => this.#visitStatements(clause.statements);
      if (labels.every((label) => COMMAND_KIND.test(label))) this.#when(labels, visit);
      else visit();
      labels = [];
    }
  }

  #readText(node) {
    const isCompared = ts.isBinaryExpression(node.parent);
    if (REJECTION.test(node.text) && !isCompared) this.rejections.add(node.text);
  }

  #readObject(node) {
    const text = (name) => textOf(propertyOf(node, name));
    for (const { name } of node.properties) this.reached.add(name?.getText());
    const kind = text('kind');
    if (kind !== undefined && COMMAND_KIND.test(kind)) this.#make(kind);
    const what = text('what');
    // Without `mayAct` a command finds its object whatever it is.
    if (what !== undefined && hasProperty(node, 'mayAct')) this.missing.add(what);
    const reason = text('reason');
    if (reason === undefined || !REASON.test(reason)) return;
    const before = node.parent.arguments?.[0] ?? node.parent.elements?.[0];
    const status = textOf(before);
    if (status === undefined || !STATUS.test(status)) return;
    const http = propertyOf(node, 'http')?.getText();
    this.errors.add(JSON.stringify([status, reason, ...(http ? [Number(http)] : [])]));
  }

  #readCall({ expression, arguments: args }) {
    const what = expression.getText() === 'notFound' ? textOf(args[0]) : undefined;
    if (what !== undefined) this.missing.add(what);
  }

  #refer(node) {
    const symbol = this.#sources.symbolAt(node);
    for (const declaration of symbol?.declarations ?? []) {
      if (!this.#sources.isOwn(declaration.getSourceFile())) continue;
      if (ts.isClassDeclaration(declaration)) this.#referToClass(symbol, declaration, node);
      else if (ts.isMethodSignature(declaration) || ts.isPropertySignature(declaration)) {
        this.#referToMember(declaration);
      } else if (hasBody(declaration)) this.follow(declaration);
    }
  }

  #referToClass(symbol, declaration, node) {
    const isMade = ts.isNewExpression(node.parent) && node.parent.expression === node;
    if (isMade) {
      this.follow(declaration.members.find(ts.isConstructorDeclaration));
      const handler = this.#sources.handlers.get(symbol);
      if (handler !== undefined) this.follow(memberOf(handler, 'execute'));
    } else this.follow(memberOf(declaration, 'transform'));
  }

  /** A member of an interface is that of all who implement it. */
  #referToMember({ name, parent }) {
    const symbol = ts.isInterfaceDeclaration(parent) && this.#sources.symbolAt(parent.name);
    for (const implementation of this.#sources.implementations.get(symbol) ?? []) {
      if (ts.isClassDeclaration(implementation)) {
        this.follow(memberOf(implementation, name.getText()));
      } else this.#followReturned(implementation, name.getText());
    }
  }

  /** Of an object that a function returns, the one member. */
  #followReturned(made, name) {
    const returned = made.body?.statements
      .filter(ts.isReturnStatement)
      .map(({ expression }) => expression)
      .find((expression) => expression && ts.isObjectLiteralExpression(expression));
    this.follow(returned?.properties.find((property) => property.name?.getText() === name));
  }
}

/** Which command a condition asks for: `command.kind === 'X'`. */
function kindAsked(condition) {
  if (!ts.isBinaryExpression(condition)) return undefined;
  const { left, right, operatorToken } = condition;
  if (operatorToken.kind !== ts.SyntaxKind.EqualsEqualsEqualsToken) return undefined;
  const isKind = ts.isPropertyAccessExpression(left) && left.name.text === 'kind';
  if (!isKind || !ts.isStringLiteral(right) || !COMMAND_KIND.test(right.text)) return undefined;
  return { value: right.text, command: left.expression };
}

/** A function, or a constant of a module; what is inside of a function is followed with it. */
function hasBody(node) {
  if (ts.isFunctionLike(node)) return node.body !== undefined;
  if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) {
    return node.initializer !== undefined && ts.isFunctionLike(node.initializer);
  }
  return ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
}

function memberOf(node, name) {
  return node.members.find((member) => member.name?.getText() === name);
}

function hasProperty(node, name) {
  return node.properties.some((property) => property.name?.getText() === name);
}

function propertyOf(node, name) {
  return node.properties.find((property) => property.name?.getText() === name)?.initializer;
}

/** The text that an expression is: also `'X' as const`. */
function textOf(node) {
  if (node !== undefined && ts.isAsExpression(node)) return textOf(node.expression);
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}
