//! What a library says that its functions give and its classes are made with.

use std::path::Path;

use super::support::{SITE, check, told};

const LIBRARY: &str = "
import dataclasses
from contextlib import contextmanager
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar, Iterator, NamedTuple, Optional, Protocol, Self, overload

from elsewhere import dataclass as other_dataclass


class Answer:
    def text(self, limit=None): ...

    @property
    def parent(self) -> 'Answer': ...

    @parent.setter
    def parent(self, value: 'Answer') -> None: ...

    @property
    def written(self): ...

    def again(self) -> Self: ...

    @classmethod
    def made(cls) -> Self: ...

    def __enter__(self) -> 'Answer': ...


class Kept:
    def state(self):
        return {name: value for name, value in self.__dict__.items() if name in vars(self).keys()}


class Filled:
    def fill(self, given):
        self.__dict__.update(given)


class Derived(Answer):
    def more(self): ...


class Shape(Protocol):
    def text(self): ...


def ask() -> Answer: ...
def maybe() -> Optional[Answer]: ...
def either() -> 'Answer | Derived': ...
def shape() -> Shape: ...
async def later() -> Answer: ...
def unsaid(): ...


@contextmanager
def within() -> Iterator[Answer]: ...


@overload
def several(one: int) -> Answer: ...
@overload
def several(one: str) -> 'Derived': ...
def several(one): ...


@dataclass
class Base:
    first: int
    shared: ClassVar[int] = 1
    hidden: int = field(init=False, default=2)


@dataclasses.dataclass(frozen=True)
class Point(Base):
    second: InitVar[int] = 3
    _: KW_ONLY
    third: int = 4


class Undecorated(Point):
    fourth: int = 5


@dataclass
class Own:
    first: int

    def __init__(self, other): ...


@dataclass
class Allocated:
    first: int

    def __new__(cls, *args, **kwargs): ...


@dataclass(init=False)
class Bare:
    first: int


@other_dataclass
class Foreign:
    first: int


class Pair(NamedTuple):
    left: int
    right: int = 0
";

fn said(text: &str) -> Vec<String> {
    let folder = crate::toolchain_support::folder();
    let write = |path: &str, text: &str| {
        let path: &Path = &folder.path().join(SITE).join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("library-1.0.dist-info/RECORD", "library.py,,\n");
    write("library.py", LIBRARY);
    told(&check(folder.path(), "app.py", text).findings)
}

#[rstest::rstest]
#[case::a_function("library.ask().textt()", "`library.ask()` of library 1.0 has no `textt`; did you mean `text`?")]
#[case::one_or_none("library.maybe().textt()", "`library.maybe()` of library 1.0 has no `textt`; did you mean `text`?")]
#[case::one_of_two(
    "library.either().moree()",
    "`library.either()` of library 1.0 has no `moree`; did you mean `more`?"
)]
#[case::overloads(
    "library.several(1).moree()",
    "`library.several()` of library 1.0 has no `moree`; did you mean `more`?"
)]
#[case::a_property(
    "library.ask().parent.textt",
    "`library.ask().parent` of library 1.0 has no `textt`; did you mean `text`?"
)]
#[case::itself(
    "library.ask().again().textt",
    "`library.ask().again()` of library 1.0 has no `textt`; did you mean `text`?"
)]
#[case::of_a_derived_class(
    "library.Derived.made().moree",
    "`library.Derived.made()` of library 1.0 has no `moree`; did you mean `more`?"
)]
#[case::what_is_kept_is_only_read(
    "library.Kept().statee",
    "`library.Kept` of library 1.0 has no `statee`; did you mean `state`?"
)]
fn what_something_gives_is_followed(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(said(&format!("import library\n{text}\n")), [format!("unknown-api 2: {expected}")], "{text}");
}

#[test]
fn what_is_waited_for_and_what_is_entered_are_followed() {
    let text = "import library\nasync def f():\n    (await library.later()).textt\n    with library.ask() as answer:\n        answer.textt\n";
    assert_eq!(
        said(text),
        [
            "unknown-api 3: `library.later()` of library 1.0 has no `textt`; did you mean `text`?",
            "unknown-api 5: `library.ask()` of library 1.0 has no `textt`; did you mean `text`?",
        ]
    );
}

#[rstest::rstest]
#[case::a_base("library.Base(1, 2)", "`library.Base` of library 1.0 takes at most 1 arguments by place, 2 are given")]
#[case::hidden("library.Base(1, hidden=2)", "`library.Base` of library 1.0 takes no argument `hidden`")]
#[case::of_the_class("library.Base(1, shared=2)", "`library.Base` of library 1.0 takes no argument `shared`")]
#[case::by_name_only(
    "library.Point(1, 2, 3)",
    "`library.Point` of library 1.0 takes at most 2 arguments by place, 3 are given"
)]
#[case::inherited(
    "library.Point(1, secnd=2)",
    "`library.Point` of library 1.0 takes no argument `secnd`; did you mean `second`?"
)]
#[case::a_tuple(
    "library.Pair(1, rigth=2)",
    "`library.Pair` of library 1.0 takes no argument `rigth`; did you mean `right`?"
)]
fn classes_are_made_of_their_fields(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(said(&format!("import library\n{text}\n")), [format!("unknown-argument 2: {expected}")], "{text}");
}

#[rstest::rstest]
#[case::fits("library.Point(1, second=2, third=3)\nlibrary.Pair(left=1)\nlibrary.ask().parent.again().text(1)")]
#[case::what_the_library_writes_down_may_be_of_a_derived_class("library.ask().more()")]
#[case::a_derived_class_may_take_more("library.ask().text(nobody=1)")]
#[case::anything_may_have_the_shape("library.shape().textt")]
#[case::not_waited_for("library.later().textt")]
#[case::entered_by_a_generator("with library.within() as answer:\n    answer.textt")]
#[case::unsaid("library.unsaid().textt\nlibrary.ask().written.textt")]
#[case::a_property_of_the_class("library.Answer.parent.textt")]
#[case::made_in_another_way(
    "library.Own(other=1)\nlibrary.Allocated(nobody=1)\nlibrary.Bare(nobody=1)\nlibrary.Foreign(nobody=1)\nlibrary.Undecorated(nobody=1)"
)]
#[case::filled_from_elsewhere("library.Filled().nobody")]
fn of_what_is_not_said_nothing_is_told(#[case] text: &str) {
    assert_eq!(said(&format!("import library\n{text}\n")), [""; 0], "{text}");
}
