"""The one text of what plan.json has: its keys, the shapes of their values, and what they say.

An object a block, each after those in it, with a sentence; a key a line: its name, its shape, and
what it says. A key with ~ may be missing; a shape with ? may be null. Shapes: a leaf as class.kind
or class=its words, [list], <object by names>, {object by files}, (row of entries), @object,
one | another. Classes: Hypothesis, Proved, Measured (it takes a run or a tool), S informative.
KINDS stands for the kinds of storage.
"""

from hlsmem_verify.kinds import KINDS

TABLE = """
piece -- A mapping on some elements: rows of numbers, each modulo a number.
  domain P.isl? -- the elements it is of; null: all
  matrix [[P.formula]] -- a row a component of the cell, a factor an index
  matrix_value [[P.int]] -- the same at the plan's parameters
  modulus [P.formula] -- the moduli, one a row
  modulus_value [P.positive] -- the same at the plan's parameters
  offset [P.formula] -- what is added to each row before its modulus is taken
  offset_value [P.int] -- the same at the plan's parameters
certificate -- What a claim holds for.
  scope P=all-parameters,at -- all parameters of the context, or those of `at` alone
  by S.text -- what found it
  at <P.int> -- the plan's parameters where the scope is `at`, else none
  kernel~ [[P.formula]] -- vectors that make all differences which share a cell
mapping -- Cells of elements: component k of a cell is (row k . element + offset) mod modulus.
  method S.label -- the search that found it
  cells P.positive -- how many it takes: the product of its moduli, summed over the pieces
  certificate @certificate -- for which parameters no two conflicting elements share a cell
  pieces [@piece] -- each element is in one
cost -- Cells of the target that synthesis is expected to take.
  blocks M.natural -- block RAMs
  large M.natural -- large block RAMs, as UltraRAM
  luts M.natural -- LUTs of logic
  lut_ram M.natural -- LUTs that are RAM
  flip_flops M.natural -- flip-flops
boxes -- Boxes of the declared array, each with every bank once.
  lower [P.int] -- the least index of each dimension
  sides [P.int] -- the indices of a box in each dimension
  counts [P.int] -- the boxes in each dimension
moment -- A time at which so many elements are alive.
  moment P.isl? -- [phase, time..], phase 0 before the run and 2 after it; null: any
elements -- Elements any two of which conflict.
  elements P.isl -- the set of them
first -- A search through all lattices.
  from P.positive -- the cells of the smallest that were searched; fewer a bound excludes
points -- Elements of a class of orders any two of which conflict.
  points [[P.int]] -- one by one, at the plan's parameters
formula -- A formula that holds for some parameters.
  when P.isl -- which
  expr P.formula -- the formula
bound -- Cells that any mapping needs, and why.
  kind P=max-live,live-at,difference-clique,clique,exhaustive,width -- the lemma
  cells P.positive -- how many at the plan's parameters
  expr P.null | P.formula | (@formula) -- how many in the parameters; null: not known
  witness P.null | @moment | @elements | @first | @points -- what shows it
part -- What serves some operands of an array's read streams, in a memory of its own.
  memory P.name -- its memory
  operands [(P.name P.natural)] -- (read stream, number in the beat) of what it serves
  takes P.isl? -- the elements that are written into it; null: all
  mapping P.null | @mapping -- the cells of a RAM or registers; null: of a chain, FIFO or wire
  lattice P.null | @bound -- a size that no modular mapping undercuts
  base P.natural -- the address of its cell 0
  bank_basis [[P.int]]? -- the lattice whose remainders are banks, a row with a pivot each
  bank_block P.positive? -- remainders, flattened, that share a bank
  storage_basis [[P.int]]? -- the lattice that quotients are reduced by, for the offset in a bank
  boxes @boxes? -- boxes that give the offset, in place of that lattice
  taps [P.natural]? -- writes between the newest element and each of `operands`, in their order
  taps_expr [P.formula]? -- the same in the parameters; null: not known
cells -- What holds an array in the C.
  mapping @mapping -- its cells, right for the order of C
  lattice P.null | @bound -- a size that no modular mapping undercuts
  cell_bytes P.positive -- the bytes of a cell
  at M.natural? -- the byte of the workspace where they start; null: a variable
  shape S.label -- the form of its loops
hardware -- What holds an array in the Verilog.
  parts [@part] -- each in a memory
  words P.natural -- those of all copies, banks and branch FIFOs
  bits P.natural -- the bits of these words
  bound P.null | @bound -- words that any storage needs; null: none is known
  standing P.text -- the words beside the bound
  certificate @certificate -- the weakest of its parts
host -- What holds an array in the C, with its bound in the order of C.
  parts [@cells] -- one
  words P.positive -- its cells
  bits P.positive -- 8 times its bytes
  bound P.null | @bound -- cells that any mapping needs in the order of C
  standing P.text -- the cells beside the bound
  certificate @certificate -- that of its mapping
loop -- A loop of the text that comes back.
  at P.natural -- the entry of a time that is its variable
  lower P.formula -- the first value of that
  upper P.formula -- the one behind its last
line -- A register or a line buffer.
  after P.natural -- the number of what it has the values of; 0 is the value of an iteration
  words P.formula -- its words, and how many iterations later it has them
lines -- Registers and line buffers of an array, for the body of some loops.
  statements [P.name] -- whose reads take values from there
  loops [@loop] -- around the body, the outermost first
  lines [@line] -- numbered from 1
  shift~ [P.int] -- element e of a parameter arrives in the iteration e + shift; else it is written
source -- What holds an array in the text that comes back.
  form P=kept,in-place,scalar,lines,read-once,fifo -- what was made of it
  words P.natural -- its words there
  bits P.natural -- the bits of these
  mapping~ @mapping -- its cells, right for the order of that text
  lines~ [@lines] -- its registers and line buffers
holdings -- What holds an array on each side.
  hardware @hardware -- the Verilog
  host @host? -- the C; null: there is none
  source~ @source -- the text that comes back, where there is one
band -- Loops of a class of orders.
  kind H=sequential,tiled -- one after the other, or in any order of tiles
  rows [S.text] -- as the design names them
  maps <H.isl> -- the rows of each statement's instances
class -- A class of orders that a mapping is right for.
  schedules H=sequential,tiled,any,affine,before -- the orders in it
  bands [@band] -- loops from outside to inside, of sequential and tiled
  before [H.isl]? -- which instances run before which, of `before`
  symbolic H.truth -- whether affine schedules may have factors of the parameters
  relation P=exact,superset -- whether `conflicts` are those of the class, or more
  fixed P.truth -- whether all of it is for the plan's parameters alone
  outside P.truth -- whether the plan's own order is in no order of the class
element -- The type of an element.
  type H.name -- as intN, uintN, float or double
  bits P.positive -- how many it has
declared -- The array as it is declared.
  cells P.positive -- its elements at the plan's parameters
  expr P.formula -- the same in the parameters
conflicts -- Which elements may not share a cell.
  differences P.isl -- all differences of two that conflict, and 0
  pairs H.isl? -- the pairs that a conflict set gives
  elements H.isl? -- the elements that a conflict set gives
array -- An array that is planned.
  element @element -- its type
  index [H.name] -- a name a dimension
  extents [H.formula]? -- its declared sizes; null: none are
  declared @declared? -- its declared size
  conflicts @conflicts? -- which elements may not share a cell
  state~ H.truth -- whether its values stay from one run to the next
  class~ @class -- the class of orders that its mapping is for
  holdings @holdings -- what holds it
origin -- Where something stands in the user's text.
  file S.text -- the file
  start S.natural -- its first byte
  end S.natural -- the byte behind its last
  via~ [S=inlined,unrolled,moved] -- what brought it to where it runs, the innermost first
  substitution~ <S.int> -- the values of variables of loops that are unrolled around it
access -- An access of a statement.
  array H.name -- the array
  kind H=read,write,may-read,may-write,look -- may: data decide; look: by a filter
  map H.isl -- { instance -> elements }
  operand H.natural? -- the number of a read of the array; null: no read
  origin~ @origin -- where the user's text has it
filter -- A condition on data under which instances run.
  entries H.positive -- the looks that are its own
  value H.isl -- the values of these with which an instance runs
statement -- A statement of the program, or a stream.
  process H.name -- the process that it is of
  role H=compute,arrival,departure -- what it does; a stream brings elements or takes them away
  domain H.isl -- its instances
  schedule H.isl -- { instance -> time }
  accesses [@access] -- in the order of its reads, then writes, then looks
  filters~ [@filter] -- the conditions under which its instances run
  latency~ H.natural -- the cycles of its datapath where these are not 1
  origin~ @origin -- where the user's text has it
program -- The program that conflicts follow from.
  order H=sequential,iteration -- a step is an instance, or an iteration
  time H.natural -- the entries of a time
  step H.natural -- the leading entries that make a step
  lanes [H.positive] -- the factors of unrolled loops, whose entries stand behind the step
  strict H.truth -- whether a cell that is read may be written in no same step
  slack H.natural -- the beats that a value stays longer
  capacity~ H=selftimed -- processes run by themselves, on what FIFOs and windows hold
  control~ H=skip -- streams pass over instances that do not run
  live_in <H.isl> -- the elements of arrays that have values before the run
  live_out <H.isl> -- those that are wanted after it
  statements <@statement> -- those that run, streams among them
primitive -- RAM cells of the target.
  name M.text -- as the target calls them
  count M.natural -- how many
memory -- A memory of the Verilog.
  bits P.positive -- the bits of a word
  words P.natural -- those of all copies and banks
  banks P.positive -- RAMs of a copy that are read at once
  copies P.positive -- how often it has all words
  kind P=KINDS -- what it is
  style P=auto,registers,distributed,block,large -- what synthesis is asked for
  primitive @primitive? -- the RAM cells it takes; null: no target
  resources @cost? -- what it takes in all; null: no target
operand -- An operand of a beat.
  bits (P.natural P.natural) -- its first and last bit
  lane P.natural -- the lane of an unrolled loop
  element S.text -- the element, in the indices of the statement
stream -- An AXI-Stream of the top.
  name P.name -- `m_` what is read, `s_` what is written
  array P.name -- the array
  statement P.name? -- the statement that takes or makes it; null: fill or drain
  beats P.positive -- how many
  operands [@operand] -- those of a beat
elastic -- A branch FIFO: what comes earlier than the other operands waits in it.
  stream P.name -- the stream it is behind
  beats P.positive -- how many it holds
  bits P.positive -- the bits of a beat
  waits_for P.name -- the stream that comes later
  latency <M.int> -- bits that one more cycle of a statement's datapath adds to all branch FIFOs
run -- A run on random inputs.
  seed M.natural -- of the inputs
  value M.natural -- its cycles
cycles -- The cycles of a run.
  kind M=exact,by-run -- of all runs, or of those that were predicted
  value~ M.natural -- how many
  bound~ M.natural -- at most so many
  runs~ [@run] -- of inputs drawn at random
timing -- How long a run takes.
  cycles @cycles? -- without stalls, as predicted
  interval M.null | M.natural | M.ratio -- cycles from step to step once it is under way
  asked M.positive? -- the interval that the design asks for
  output_register M.truth -- whether RAMs are read through their output registers
  frame~ M.positive -- cycles from a frame to the next one, where the datapath is generated
process -- Statements that make one beat of an accelerator together.
  name S.name -- its module
  statements [S.name] -- in the order of the text
  stages M.positive -- cycles from its operands to its results
  states <[S.int]> -- least and greatest value of variables kept from beat to beat; of floats none
  multipliers S.natural -- products that are no shifts
  interval~ M.positive -- cycles from a beat to the next one, where its states take several
port -- A stream of an accelerator: elements of an array of the caller, row by row.
  name S.name -- the stream
  array S.name -- the array
  direction S=in,out -- into the accelerator, or out of it
  bits S.positive -- of tdata
  element S.name -- the type of an element
  extents [S.positive] -- of the array, the outermost first; none where nothing declares them
  beats S.positive -- in a frame, row by row
  elements~ S.positive -- in a beat, the first in the lowest bits, where it has several
function -- A function that a module of the user's computes, or an operator of floats.
  name S.text -- as the design has it
  module S.name -- the module
  file S.text -- its file in rtl/
  latency S.positive -- cycles from its operands to its result
accelerator -- The datapath around the memories.
  top S.name -- the module that has both
  clock_mhz S.positive -- the clock that stages are made for
  processes [@process] -- each takes a beat of its operands at a time
  ports [@port] -- the streams of the top
  functions~ [@function] -- those that modules of the user's compute: nothing proves them
cut -- What is cut below the loops of a statement of C.
  vector S.positive? -- iterations of a tile of the vector loop
  outer S.positive? -- iterations of a tile of the outermost loop, which then runs outside of it
  rows S.positive? -- iterations of a block of the serial loop outside of the vector loop
  jam S.positive -- its iterations in one; 1: nothing is jammed
order -- The order of C.
  steps P.truth -- whether an iteration is a step, which reads first
  times <P.isl> -- times of its own by statement; none: the program's
  cuts~ <@cut> -- what its loops are cut into, by statement
  machine~ <S.positive> -- sizes of the machine that the cuts were chosen on, in KiB and bits
as_written -- The design in the order of its text.
  bits S.natural -- the bits of its words
  cycles S.natural? -- its cycles
found -- An order that was found.
  what S.text -- what was changed
  text @as_written -- what the order of the text takes
orders -- The orders of both sides.
  hardware @found? -- an order that was found for the Verilog; null: that of the text
  host @order? -- the order of C; null: there is no C of the whole
kept -- Variables that the datapath keeps.
  name S.name -- the variable
  type S.name -- its type
  statements [S.name] -- those that read or write it
outside -- A parameter that has neither memory nor stream.
  why S.text -- the reason
  reads_a_step M.natural? -- its elements that a step reads; null: not known
ram -- What C keeps in RAM.
  bytes M.natural -- of all objects that it keeps
  where S=stack,heap,static -- where the greatest of it is
  source M.natural? -- the bytes of the source's own arrays
  overlap S=none,check,stop,refuse -- what runs where arguments overlap that its order needs apart
  check~ M.natural -- the bytes of a check, where C stops of itself as that takes less than half
text_array -- An array of C in the order of its text.
  element @element -- its type
  index [H.name] -- a name a dimension
  extents [H.formula]? -- its declared sizes; null: none are
  mapping @mapping -- its cells, right for the order of the text
  cell_bytes P.positive -- the bytes of a cell
  at M.natural? -- the byte of the workspace where they start; null: a variable
text -- The order of the text, which C runs in the same workspace where arguments overlap.
  program @program -- its statements, one after the other
  arrays <@text_array> -- those that it keeps
c -- The C.
  ram @ram -- what it keeps
  text @text? -- the order of the text; null: it runs in none
source_array -- An array of the text that comes back, beside those that are planned.
  element @element -- its type
  index [H.name] -- a name a dimension
  extents [H.formula]? -- its declared sizes; null: none are
  held @source -- what holds it there
source_text -- The user's text that comes back.
  program @program -- the program in the order of the user's text
  times~ <P.isl> -- times by statement, where the text that comes back has another order
  arrays~ <@source_array> -- those that are not planned
target -- What the plan is for.
  device H.label -- a device or family
  block_rams H.natural? -- block RAMs that may be used
plan -- A plan of a design.
  format S=hlsmem-plan/4 -- the format of this file
  tool S.text -- what wrote it
  design H.name -- the name of the design
  inputs {S.text} -- the hashes of its files
  overrides [S.text] -- options in place of the design's
  params <H.int> -- the values that it is planned at
  context H.isl -- the parameters it holds for
  target @target? -- what it is for
  program @program? -- what conflicts follow from; null: a conflict set
  orders @orders -- the orders of both sides
  arrays <@array> -- those that are planned
  datapath [@kept] -- variables without a memory
  outside <@outside> -- parameters without one
  host @c? -- the C; null: there is none
  source~ @source_text -- the user's text that comes back, where it changes
  memories <@memory> -- those of the Verilog
  streams [@stream] -- of the top
  elastic [@elastic] -- branch FIFOs
  paths [(M.text M.text)]? -- paths within a cycle, from input to output; null: not known
  timing @timing? -- how long a run takes; null: not known
  accelerator~ @accelerator -- the datapath, where it is generated
""".replace("=KINDS", "=" + ",".join(KINDS))
